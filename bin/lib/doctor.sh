# shellcheck shell=bash
# What 'restore doctor' says where there is no Java that could say it. Sourced after tools.sh.

# doctor_without_java REASON [ARGUMENT]...: the report; its only finding is that Java is missing.
doctor_without_java() {
  local reason=${1:-none was found} json=false
  shift
  while (($#)); do
    case $1 in
      --json) json=true ;;
      *) wrong_usage "doctor: unknown argument: $1" ;;
    esac
    shift
  done
  reason=${reason//[\"\\]/}
  if $json; then
    printf '{"findings": [{"name": "Java 25", "state": "missing", "found": "%s", "neededFor": "everything", "mend": "bin/bootstrap"}]}\n' "$reason"
  else
    printf '%-9s %-18s %s\n%-9s %-18s %s\n' missing 'Java 25' "$reason" '' '' 'needed for everything; mend: bin/bootstrap'
    say 'Everything else is examined by Java: mend this first, and ask again.'
  fi
}
