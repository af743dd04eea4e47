/** Why a run over several machines cannot begin or go on, for programs; the message says the same to people. */
export type ClusterErrorCode =
  | "unreachable"
  | "refused-login"
  | "not-redis"
  | "old-redis"
  | "evicting"
  | "not-writable"
  | "tls"
  | "cluster-mode"
  | "bad-url"
  | "protocol"
  | "busy"
  | "job"
  | "shut-out";

/** A Redis server that cannot be used, or a run that cannot go on. What is in the database is untouched. */
export class ClusterError extends Error {
  override readonly name = "ClusterError";

  constructor(
    readonly code: ClusterErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
