# shellcheck shell=bash
# Slurm's srun for an MPI that lives in a root folder. Sourced by bin/mpirun-java, of which it uses the variables.
# shellcheck disable=SC2034,SC2154  # bin/mpirun-java sets the variables

# prepare_slurm WORD...: in an allocation of Slurm, an MPI that lives in a root folder finds no srun there to start its daemons
# with. Adds one to launcher, which the words, in-root and its arguments, are put before.
prepare_slurm() {
  local program
  [[ -n ${SLURM_JOB_ID:-} ]] && command -v srun > /dev/null || return 0
  make_own_folder
  # By sinfo a launcher asks for the version.
  for program in srun sinfo; do
    printf '#!/bin/bash\nPATH=%q exec %s "$@"\n' "$PATH" \
      "$(printf '%q ' "$project_root/tests/lib/slurm-outside" "$program" $$ "$@")" > "$own_folder/$program"
    chmod +x "$own_folder/$program"
  done
  launcher=(env "PATH=$own_folder:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "${launcher[@]}")
}
