import type { Failure } from "../client/resource.js";

/** Says why nothing came from the server, and when it is asked again. */
export function Trouble({ failure }: { readonly failure: Failure }) {
  const { message, retryInSeconds, retry } = failure;
  return (
    <div class="trouble" role="alert">
      <p>
        {message}
        {retryInSeconds !== undefined && ` The next try is in ${retryInSeconds} s.`}
      </p>
      <button type="button" onClick={retry}>
        Try now
      </button>
    </div>
  );
}
