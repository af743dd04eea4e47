import { Hono, type HonoRequest } from "hono";
import { cors } from "hono/cors";
import { z } from "zod";
import type { Metrics } from "./metrics.js";
import { type Env, type Operation, type RequestContext, routeOf } from "./operation.js";
import type { Settings } from "./options.js";
import { readParameters, readShape } from "./parameters.js";
import { Problem, reported } from "./problem.js";
import { replyJson } from "./reply.js";
import { baseOf, problemPage } from "./routes/pages.js";

/** Seconds for which a browser need not ask again whether pages of other sites may read answers. */
const CORS_SECONDS = 86_400;
/**
 * Headers of all answers. They let pages of other sites read them; and a browser that opens one
 * which is no page of the explorer, such as a file of results/ that somebody else made, runs and
 * loads nothing. The listener sets them: a middleware would copy every response, which takes longer
 * than most look-ups.
 */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag,Retry-After",
  "x-content-type-options": "nosniff",
  // Pages replace it by their own. Charts have styles of their own.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** The parameters of an operation that takes none. */
const NO_PARAMETERS = z.object({});

/** Makes the application that answers requests. */
export function makeApp(
  operations: readonly Operation[],
  metrics: Metrics,
  settings: Settings,
): Hono<Env> {
  const app = new Hono<Env>({ strict: false });
  app.options("*", cors({ allowMethods: ["GET", "HEAD", "POST"], maxAge: CORS_SECONDS }));
  app.get("/v1/docs", ({ req, redirect }) =>
    redirect(`${baseOf(new URL(req.url).pathname)}docs/api/`),
  );
  // Fixed addresses, such as /v1/query, come before those with parameters that they would fit, such
  // as /v1/{shape}.
  const isFixed = ({ path }: Operation) => !path.includes("{");
  for (const operation of operations.toSorted((a, b) => Number(isFixed(b)) - Number(isFixed(a)))) {
    const method = (operation.method ?? "get").toUpperCase();
    app.on(method, routeOf(operation), (context): Response | Promise<Response> => {
      const began = performance.now();
      const counted = (response: Response) => {
        metrics.count(operation.id, response.status, (performance.now() - began) / 1000);
        return response;
      };
      // The listener sends a response that is there at once in the same turn of the event loop.
      const response = answer(operation, context, settings);
      return response instanceof Promise ? response.then(counted) : counted(response);
    });
    if (!isFixed(operation)) continue;
    // An address that also fits the parameters of another operation takes no more methods for that.
    app.all(operation.path, ({ req }) => {
      throw wrongMethod(req, [method]);
    });
  }
  app.notFound((context) => {
    const problem = noSuchAddress(app, context, settings);
    metrics.count("none", problem.status, 0);
    const { req } = context;
    const isPage = !req.path.startsWith("/v1") && req.header("accept")?.includes("text/html");
    return isPage ? problemPage(context, problem, settings) : problem.response();
  });
  app.onError((error) => reported(error, settings).response());
  return app;
}

function answer(
  operation: Operation,
  context: RequestContext,
  settings: Settings,
): Response | Promise<Response> {
  const replied = (answered: object) =>
    answered instanceof Response ? answered : replyJson(context, JSON.stringify(answered), false);
  const refused = (error: unknown) => {
    // Nobody reads the answer any more.
    if ((error as Error).name === "AbortError") return new Response(null, { status: 499 });
    return reported(error, settings).response();
  };
  try {
    const shape = context.req.param("shape");
    if (shape !== undefined) readShape(shape);
    const parameters = readParameters(operation.query ?? NO_PARAMETERS, context.req.url);
    const answered = operation.handle(context, parameters);
    return answered instanceof Promise ? answered.then(replied).catch(refused) : replied(answered);
  } catch (error) {
    return refused(error);
  }
}

/** Returns the problem of an address at which there is nothing, or only for other methods. */
function noSuchAddress(
  app: Hono<Env>,
  { req }: RequestContext,
  { publicUrl = "http://localhost/" }: Settings,
): Problem {
  const methods = ["GET", "POST"].filter((name) => app.router.match(name, req.path)[0].length > 0);
  if (methods.length > 0 && !methods.includes(req.method.replace("HEAD", "GET"))) {
    return wrongMethod(req, methods);
  }
  const below = new URL(publicUrl).pathname;
  const isWhole = below !== "/" && `${req.path}/`.startsWith(below);
  const hint = isWhole
    ? `the proxy has to remove ${below.slice(0, -1)} from the path`
    : "/v1/docs lists all operations";
  return new Problem(404, `there is nothing at ${req.path.slice(0, 100)}; ${hint}`);
}

function wrongMethod({ path, method }: HonoRequest, methods: readonly string[]): Problem {
  return new Problem(405, `${path} does not take ${method}; expected ${methods.join(" or ")}`, {
    allow: methods.join(", ").replace("GET", "GET, HEAD"),
  });
}
