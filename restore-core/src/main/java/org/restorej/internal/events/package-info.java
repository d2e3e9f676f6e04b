/**
 * Events of JDK Flight Recorder, one for each operation of a store, as one PE saw it. Calls nothing of the project; the
 * store fills them.
 *
 * <pre>{@code
 * java -XX:StartFlightRecording:filename=pe-%p.jfr ...
 * jfr print --events 'org.restorej.*' pe-4711.jfr
 * }</pre>
 *
 * <p>
 * To add a field or an event, start at {@code StoreEvent}; {@code internal.operation.StoreMonitor} fills it.
 */
@NullMarked
package org.restorej.internal.events;

import org.jspecify.annotations.NullMarked;
