import { Hono, type HonoRequest } from "hono";
import { cors } from "hono/cors";
import { z } from "zod";
import type { Metrics } from "./metrics.js";
import { type Env, type Operation, type RequestContext, routeOf } from "./operation.js";
import { readParameters, readShape } from "./parameters.js";
import { Problem, problemOf } from "./problem.js";

/** Seconds for which a browser need not ask again whether a page of another site may read answers. */
const CORS_SECONDS = 86_400;
/**
 * Headers that let pages of other sites read all answers. The listener sets them: a middleware would copy every response,
 * which takes longer than most look-ups.
 */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag,Retry-After",
};

/** The parameters of an operation that takes none. */
const NO_PARAMETERS = z.object({});

/**
 * Makes the application that answers requests.
 *
 * @param operations those with fixed addresses before those with parameters that they would fit
 * @param onFailure receives errors that are the server's own
 * @param showProblem shows a problem as a page
 */
export function makeApp(
  operations: readonly Operation[],
  metrics: Metrics,
  onFailure: (error: unknown) => void,
  showProblem: (context: RequestContext, problem: Problem) => Response,
): Hono<Env> {
  const app = new Hono<Env>({ strict: false });
  app.options("*", cors({ allowMethods: ["GET", "HEAD", "POST"], maxAge: CORS_SECONDS }));
  const fixed = new Map<string, readonly string[]>();
  for (const { path, method = "get" } of operations) {
    if (!path.includes("{")) fixed.set(path, [...(fixed.get(path) ?? []), method.toUpperCase()]);
  }
  // An address that also fits the parameters of another operation takes no more methods for that.
  for (const [path, methods] of fixed) {
    app.all(path, ({ req }, next) => {
      if (!methods.includes(req.method.replace("HEAD", "GET"))) throw wrongMethod(req, methods);
      return next();
    });
  }
  for (const operation of operations) {
    app.on(
      (operation.method ?? "get").toUpperCase(),
      routeOf(operation),
      (context): Response | Promise<Response> => {
        const began = performance.now();
        const counted = (response: Response) => {
          metrics.count(operation.id, response.status, (performance.now() - began) / 1000);
          return response;
        };
        // The listener sends a response that is there at once in the same turn of the event loop.
        const response = answer(operation, context, onFailure);
        return response instanceof Promise ? response.then(counted) : counted(response);
      },
    );
  }
  app.notFound((context) => {
    const problem = noSuchAddress(app, context);
    metrics.count("none", problem.status, 0);
    const { req } = context;
    const isPage = !req.path.startsWith("/v1") && req.header("accept")?.includes("text/html");
    return isPage ? showProblem(context, problem) : problem.response();
  });
  app.onError((error) => failed(error, onFailure));
  return app;
}

function answer(
  operation: Operation,
  context: RequestContext,
  onFailure: (error: unknown) => void,
): Response | Promise<Response> {
  const refused = (error: unknown) => {
    // Nobody reads the answer any more.
    if ((error as Error).name === "AbortError") return new Response(null, { status: 499 });
    return failed(error, onFailure);
  };
  try {
    const shape = context.req.param("shape");
    if (shape !== undefined) readShape(shape);
    if (operation.query === undefined) readParameters(NO_PARAMETERS, context.req.url);
    const response = operation.handle(context);
    return response instanceof Promise ? response.catch(refused) : response;
  } catch (error) {
    return refused(error);
  }
}

function failed(error: unknown, onFailure: (error: unknown) => void): Response {
  const problem = problemOf(error);
  if (problem.status === 500) onFailure(error);
  return problem.response();
}

/** Returns the problem of an address at which there is nothing, or only for other methods. */
function noSuchAddress(app: Hono<Env>, { req }: RequestContext): Problem {
  const methods = ["GET", "POST"].filter((name) => app.router.match(name, req.path)[0].length > 0);
  if (methods.length > 0 && !methods.includes(req.method.replace("HEAD", "GET"))) {
    return wrongMethod(req, methods);
  }
  return new Problem(
    404,
    `there is nothing at ${req.path.slice(0, 100)}; /v1/docs lists all operations`,
  );
}

function wrongMethod({ path, method }: HonoRequest, methods: readonly string[]): Problem {
  return new Problem(405, `${path} does not take ${method}; expected ${methods.join(" or ")}`, {
    allow: methods.join(", ").replace("GET", "GET, HEAD"),
  });
}
