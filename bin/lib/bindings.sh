# shellcheck shell=bash
# Makes mpi.jar, the Java half of Open MPI's bindings, where a distribution ships only the native half. Sourced by bootstrap.
# shellcheck disable=SC2154  # what is missing here lies there, and in mpi.sh

# The repositories that offer libopenmpi-dev, as lines "URI SUITE COMPONENT"; more than the system's own sources list
# would tell, because mirrors and their order are resolved already.
openmpi_repositories() {
  apt-cache madison libopenmpi-dev |
    sed -n -E 's#^[^|]*\|[^|]*\| ([^ ]+) ([^ ]+)/([^/ ]+) [^ ]+ Packages$#\1 \2 \3#p' | sort -u
}

# keyring_option DISTRIBUTION: the option of a source list that names its archive key, when that is installed.
keyring_option() {
  local keyring=/usr/share/keyrings/$1-archive-keyring.gpg
  [[ ! -r $keyring ]] || printf '[signed-by=%s] ' "$keyring"
}

# download_openmpi_source DISTRIBUTION SOURCE_VERSION FOLDER < REPOSITORIES: the upstream archive of that source package,
# checked by apt. The source list is private to this command: the system's own stays as it is.
download_openmpi_source() {
  local version=$2 folder=$3 uri suite component options
  options=$(keyring_option "$1")
  mkdir -p "$folder/lists/partial" "$folder/archives/partial"
  while read -r uri suite component; do
    say "deb-src $options$uri $suite $component"
  done > "$folder/sources.list"
  [[ -s $folder/sources.list ]] ||
    die "apt knows no repository with libopenmpi-dev: run 'apt-get update' as root, then this again"
  local -a apt=(apt-get -qq -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder" -o "Dir::Cache::Archives=$folder/archives"
    -o APT::Sandbox::User=)
  "${apt[@]}" update
  (cd "$folder" && "${apt[@]}" source --download-only "openmpi=$version")
}

# make_bindings DISTRIBUTION SOURCE_VERSION COMMAND... < REPOSITORIES: mpi.jar of the Open MPI found, from that source package, into the
# cache folder; sets mpi_jar. COMMAND runs the JDK's programs, like env.
make_bindings() {
  local folder=$scratch/source archive
  say "making mpi.jar from the distribution's source package openmpi $2"
  download_openmpi_source "$1" "$2" "$folder"
  shift 2
  mpi_jar=$cache_folder/openmpi/$mpi_version/mpi.jar
  archive=$(find "$folder" -maxdepth 1 -name 'openmpi_*.orig.tar.*' ! -name '*.asc' -print -quit)
  [[ -n $archive ]] || die "the source package of Open MPI has no openmpi_*.orig.tar.* archive"
  mkdir -p "$folder/java" "$folder/classes" "${mpi_jar%/*}"
  tar -x -f "$archive" -C "$folder/java" --wildcards '*/ompi/mpi/java/java/*.java'
  # The bindings are not ours to lint; finalizers and raw types would fill the screen.
  find "$folder/java" -name '*.java' -exec "$@" javac -nowarn -Xlint:none -d "$folder/classes" {} + 2> "$folder/javac.log" ||
    { cat "$folder/javac.log" >&2; die "the Java bindings of Open MPI don't compile"; }
  "$@" jar --create --file "$mpi_jar.$$" -C "$folder/classes" .
  mv -f -- "$mpi_jar.$$" "$mpi_jar"
}
