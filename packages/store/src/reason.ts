/* Apart from the other errors: the start of the command needs it, and no SQLite driver. */

/** Returns the system's reason: "permission denied" of "EACCES: permission denied, open 'x'". */
export function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return /^E[A-Z0-9]+: (.+?), \w+/.exec(message)?.[1] ?? message;
}
