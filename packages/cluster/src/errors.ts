/** Why a run on several machines cannot start or continue, for programs. */
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
  | "metrics";

interface ClusterErrorOptions extends ErrorOptions {
  /** True if waiting may help, as it does while a server restarts. */
  readonly passing?: boolean;
}

/** Reports an unusable Redis server or a run that cannot go on. The database is untouched. */
export class ClusterError extends Error {
  override readonly name = "ClusterError";
  readonly passing: boolean;

  constructor(
    readonly code: ClusterErrorCode,
    message: string,
    { passing = false, ...options }: ClusterErrorOptions = {},
  ) {
    super(message, options);
    this.passing = passing;
  }
}
