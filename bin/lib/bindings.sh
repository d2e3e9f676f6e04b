# shellcheck shell=bash
# Makes mpi.jar, the Java half of Open MPI's bindings, where a distribution ships only the native half. Sourced after tools.sh.

# The repositories that offer libopenmpi-dev, as lines "URI SUITE COMPONENT"; more than the system's own sources list
# would tell, because mirrors and their order are resolved already.
openmpi_repositories() {
  apt-cache madison libopenmpi-dev |
    sed -n -E 's#^[^|]*\|[^|]*\| ([^ ]+) ([^ ]+)/([^/ ]+) [^ ]+ Packages$#\1 \2 \3#p' | sort -u
}

# A deb-src list with those repositories, for apt's options only: the system's own list stays as it is.
private_source_list() {
  local uri suite component keyring options=''
  for keyring in /usr/share/keyrings/debian-archive-keyring.gpg /usr/share/keyrings/ubuntu-archive-keyring.gpg; do
    if [[ -r $keyring && ${keyring##*/} == "$(. /etc/os-release && say "$ID")"-* ]]; then
      options="[signed-by=$keyring] "
    fi
  done
  while read -r uri suite component; do
    say "deb-src $options$uri $suite $component"
  done < <(openmpi_repositories)
}

# download_openmpi_source SOURCE_VERSION FOLDER: the upstream archive of that Debian source version, checked by apt.
download_openmpi_source() {
  local folder=$2
  mkdir -p "$folder/lists/partial" "$folder/archives/partial"
  private_source_list > "$folder/sources.list"
  [[ -s $folder/sources.list ]] ||
    die "apt knows no repository with libopenmpi-dev: run 'apt-get update' as root, then this again"
  local -a apt=(apt-get -qq -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder" -o "Dir::Cache::Archives=$folder/archives"
    -o APT::Sandbox::User=)
  "${apt[@]}" update
  (cd "$folder" && "${apt[@]}" source --download-only "openmpi=$1")
}

# compile_bindings ARCHIVE_FOLDER JDK JAR: the bindings in the openmpi_*.orig archive of that folder, into JAR.
compile_bindings() {
  local folder=$1 jdk=$2 jar=$3 archive
  archive=$(find "$folder" -maxdepth 1 -name 'openmpi_*.orig.tar.*' ! -name '*.asc' | head -n 1)
  [[ -n $archive ]] || die "the source package of Open MPI has no openmpi_*.orig.tar.* archive"
  mkdir -p "$folder/java" "$folder/classes" "${jar%/*}"
  tar -x -f "$archive" -C "$folder/java" --wildcards '*/ompi/mpi/java/java/*.java'
  # The bindings are not ours to lint; finalizers and raw types would fill the screen.
  find "$folder/java" -name '*.java' -exec "$jdk/bin/javac" -nowarn -Xlint:none -d "$folder/classes" {} + 2> "$folder/javac.log" ||
    { cat "$folder/javac.log" >&2; die "the Java bindings of Open MPI don't compile"; }
  "$jdk/bin/jar" --create --file "$jar.$$" -C "$folder/classes" .
  mv -f -- "$jar.$$" "$jar"
}
