import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command, Option } from "commander";
import { PATHS } from "../options/paths.js";

/** The managers of services and jobs that a worker can be set up for, and what prints a unit or a batch script for each. */
export const MANAGERS = { systemd: systemdUnit, slurm: slurmScript };

/** The words that start the program that runs now; Yarn's Plug'n'Play keeps it in an archive, which `.pnp.cjs` opens. */
const PROGRAM = [
  process.execPath,
  ...("pnp" in process.versions
    ? ["--require", createRequire(import.meta.url).resolve("pnpapi")]
    : []),
  fileURLToPath(new URL("../../bin/gridlock.js", import.meta.url)),
];

/** Options that get a value of their own below, or are not for a unit. */
const OWN: ReadonlySet<string> = new Set(["print", "redis", "redisPasswordFile", "db", "threads"]);

/** Seconds that a worker may take to save its table. */
const STOP_SECONDS = 300;
/** A Slurm job's default processors, and bytes of memory for the worker. */
const JOB_THREADS = 8;
const JOB_BYTES = 8 * 2 ** 30;
/** Bytes of a job beside the memory of the worker, for what the system keeps of its files. */
const SPARE_BYTES = 2 ** 30;

/** The options of a worker, as it was called. */
interface PrintedFlags {
  readonly redis: string;
  readonly redisPasswordFile?: string;
  readonly db: string;
  readonly threads: number;
  readonly memory?: number;
}

/**
 * Returns a unit of systemd that runs this worker with the options that it was given.
 *
 * @param password whether the URL or the environment has a password, which is never printed
 */
function systemdUnit(command: Command, flags: PrintedFlags, password: boolean): string {
  const secret = passwordFile(flags, password, "/etc/gridlock/redis-password");
  const words = [...PROGRAM, "worker", ...common(command, flags)].map(unitWord);
  const set = (name: string, value: string) => words.push(name, value);
  if (isGiven(command, "threads")) set("--threads", String(flags.threads));
  const hasDb = isGiven(command, "db");
  set("--db", hasDb ? unitWord(resolve(flags.db)) : "%S/gridlock/worker.db");
  // Not %d, which needs systemd 251; this needs 247.
  if (secret !== undefined)
    set("--redis-password-file", `\${CREDENTIALS_DIRECTORY}/redis-password`);
  return `# Runs a worker of Gridlock as a service. Save it as /etc/systemd/system/gridlock-worker.service, then:
#   systemctl daemon-reload && systemctl enable --now gridlock-worker
#   journalctl --unit gridlock-worker --follow
${secret === undefined ? "" : `# The password of the Redis server is read from ${secret}, which only root needs to read.\n`}[Unit]
Description=Gridlock worker
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=${words.join(" ")}
${secret === undefined ? "" : `LoadCredential=redis-password:${secret.replaceAll("%", "%%")}\n`}${accountFor(flags, hasDb)}
StateDirectory=gridlock
Restart=on-failure
RestartSec=10
# A worker that is stopped saves its table first.
TimeoutStopSec=${STOP_SECONDS}
Nice=10
NoNewPrivileges=yes

[Install]
WantedBy=multi-user.target
`;
}

/** Returns the lines of the account that a unit runs as: a dynamic one can only write to its state directory. */
function accountFor({ db }: PrintedFlags, hasDb: boolean): string {
  if (!hasDb) return "DynamicUser=yes";
  return `# An account that may write to ${dirname(resolve(db))}.\nUser=gridlock`;
}

/** Returns a batch script of Slurm that runs this worker; see {@link systemdUnit}. */
function slurmScript(command: Command, flags: PrintedFlags, password: boolean): string {
  const secret = passwordFile(flags, password, "$HOME/.config/gridlock/redis-password");
  const threads = isGiven(command, "threads") ? flags.threads : JOB_THREADS;
  const memory = flags.memory ?? JOB_BYTES;
  const words = [...PROGRAM, "worker", ...common(command, flags)].map(shellWord);
  if (flags.memory === undefined) words.push("--memory", megabytes(memory));
  if (!isGiven(command, "once")) words.push("--once"); // nobody else could use the node
  if (secret !== undefined) {
    const file = flags.redisPasswordFile === undefined ? `"${secret}"` : shellWord(secret);
    words.push("--redis-password-file", file);
  }
  const own = isGiven(command, "db");
  const db = own ? shellWord(resolve(flags.db)) : '"$work/worker.db"';
  const run = `${words.join(" ")} --threads "\${SLURM_CPUS_PER_TASK:-${threads}}" --db ${db}`;
  return `#!/bin/bash
# Runs a worker of Gridlock as a job of Slurm. Save it as worker.sbatch, then:
#   sbatch worker.sbatch                  one worker
#   sbatch --array=1-16 worker.sbatch     sixteen, each on its share of a node
${secret === undefined ? "" : `# The password of the Redis server is read from ${secret}; keep it to yourself: chmod 600.\n`}#SBATCH --job-name=gridlock-worker
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=${threads}
#SBATCH --mem=${megabytes(memory + SPARE_BYTES)}
#SBATCH --time=1-00:00:00
# Before the time is up, the worker saves its table.
#SBATCH --signal=B:TERM@${STOP_SECONDS}
set -u
${
  own
    ? ""
    : `# On a disk of the node: SQLite needs locks, which a shared home folder may lack.
work="\${SLURM_TMPDIR:-\${TMPDIR:-/tmp}}/gridlock-\${SLURM_JOB_ID:-$$}"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
`
}worker= again=
trap 'again=yes; kill -TERM "$worker" 2> /dev/null' TERM INT
${run} &
worker=$!
[ -z "$again" ] || kill -TERM "$worker" # a signal came before it
again=yes
while [ -n "$again" ]; do
  again= # a signal ends the waiting, not the worker
  wait "$worker"
  code=$?
done
exit "$code"
`;
}

/** Returns the words of the server and of all other options given, files as absolute paths. */
function common(command: Command, { redis }: PrintedFlags): string[] {
  const words = ["--redis", withoutPassword(redis)];
  for (const option of command.options) {
    const name = option.attributeName();
    if (!OWN.has(name) && isGiven(command, name)) words.push(...wordsOf(command, option));
  }
  return words;
}

function wordsOf(command: Command, option: Option): string[] {
  const value: unknown = command.getOptionValue(option.attributeName());
  const long = option.long as string;
  if (value === true) return [long];
  if (long === "--memory") return [long, megabytes(value as number)];
  return [long, PATHS.has(option.parseArg) ? resolve(String(value)) : String(value)];
}

/** Returns whether an option was given, on the command line or by the environment. */
function isGiven(command: Command, name: string): boolean {
  return ["cli", "env"].includes(command.getOptionValueSource(name) ?? "default");
}

function withoutPassword(url: string): string {
  return url.replace(/^(rediss?:\/\/[^:@/]*):[^@]*@/i, (_, before) =>
    before.endsWith("/") ? before : `${before}@`,
  );
}

/** Returns the file to read the password from, if there is a password. */
function passwordFile(
  { redisPasswordFile: file, redis }: PrintedFlags,
  password: boolean,
  place: string,
): string | undefined {
  if (file !== undefined) return resolve(file);
  return password || withoutPassword(redis) !== redis ? place : undefined;
}

/** Writes bytes in megabytes, as both `--memory` and Slurm read them. */
function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)}M`;
}

/** Quotes a word of a command for systemd. */
function unitWord(word: string): string {
  const escaped = word.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /^[\w@%+=:,./$-]+$/.test(escaped)
    ? escaped
    : `"${escaped.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** Quotes a word for a shell. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
