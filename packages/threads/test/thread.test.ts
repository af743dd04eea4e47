import { getEventListeners } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";
import { orAborted, passErrors, Thread } from "../src/thread.js";
import { Threads } from "../src/threads.js";

const PORT = new URL("../dist/thread-port.js", import.meta.url).href;

/** Starts a thread that runs this code and records its notices and failures. */
function threadOf(code: string) {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-"));
  const file = join(folder, "thread.mjs");
  writeFileSync(
    file,
    `import { answerRequests, notify, orFail } from ${JSON.stringify(PORT)};
     ${code}`,
  );
  const notices: unknown[] = [];
  const failures: Error[] = [];
  const thread = new Thread<unknown, unknown, unknown>(pathToFileURL(file), {
    name: "the thread of the test",
    resourceLimits: { maxOldGenerationSizeMb: 32 },
    onNotice: (notice) => notices.push(notice),
    onFailure: (error) => failures.push(error),
  });
  onTestFinished(async () => {
    await thread[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return { thread, notices, failures };
}

describe("a thread", () => {
  it("runs the bundle of its module, if that has one", async () => {
    const folder = temporaryFolder();
    const module = pathToFileURL(join(folder, "some-worker.js"));
    const answering = (what: string) =>
      `const { parentPort } = require("node:worker_threads");
       parentPort.on("message", ({ id }) => parentPort.postMessage({ id, reply: "${what}" }));`;
    writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }');
    for (const [file, what] of [
      ["some-worker.js", "module"],
      ["some-worker.cjs", "bundle"],
    ] as const) {
      writeFileSync(join(folder, file), answering(what));
      await using thread = new Thread<null, string>(module, { name: "the thread of the test" });
      expect(await thread.ask(null)).toBe(what);
    }
  });

  it("answers requests, as each is ready, and posts notices in between", async () => {
    const { thread, notices, failures } = threadOf(
      `let release;
       answerRequests(async (n) => {
         notify(n);
         if (n === 2) release();
         if (n === 1) await new Promise((resolve) => { release = resolve; });
         return 2 * n;
       });`,
    );
    expect(await thread.ask(3)).toBe(6);
    expect(await Promise.all([thread.ask(1), thread.ask(2)])).toEqual([2, 4]);
    expect(notices).toEqual([3, 1, 2]);
    expect(failures).toEqual([]);
  });

  it.each([
    ["an error", "answerRequests(() => { throw new Error('no more'); });", "no more"],
    ["a rejection", "answerRequests(async () => { throw new Error('no more'); });", "no more"],
    ["an exit", "answerRequests(() => process.exit());", "ended unexpectedly"],
    ["an error elsewhere", "setTimeout(() => { throw new Error('a timer'); }, 20);", "a timer"],
    ["nobody to answer", "", "ended unexpectedly"],
    ["a module that is missing", "await import('./missing.mjs');", "Cannot find module"],
    ["an error in its own work", "void orFail(() => { throw new Error('work'); });", "work"],
    ["too little memory", "const all = []; for (;;) all.push(new Array(1e5).fill({}));", "memory"],
  ])("fails requests after %s, instead of never answering", async (_, code, why) => {
    const { thread, failures } = threadOf(code);
    const first = await thread.ask(1).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(first?.message).toContain(why);
    expect(failures).toEqual([first]);
    await expect(thread.ask(2)).rejects.toBe(first);
  });

  it("keeps the class and code of an error whose class is named", async () => {
    class FileError extends Error {
      constructor(
        readonly code: "locked",
        message: string,
      ) {
        super(message);
      }
    }
    const code = `answerRequests(() => {
      throw Object.assign(new Error("others hold it"), { name: "FileError", code: "locked" });
    });`;
    const plain = await threadOf(code)
      .thread.ask(1)
      .catch((error: unknown) => error);
    expect(plain).not.toBeInstanceOf(FileError);
    passErrors("FileError", FileError);
    const error = await threadOf(code)
      .thread.ask(1)
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(FileError);
    expect(error).toMatchObject({ code: "locked", message: "others hold it" });
  });

  it("that is closed fails the request under way, but reports no failure", async () => {
    const { thread, failures } = threadOf("answerRequests(() => new Promise(() => {}));");
    const answer = expect(thread.ask(1)).rejects.toThrow("the thread of the test was closed");
    await thread[Symbol.asyncDispose]();
    await answer;
    await expect(thread.ask(2)).rejects.toThrow("was closed");
    expect(failures).toEqual([]);
  });
});

describe("a wait for a promise or a signal", () => {
  it("ends with whichever comes first, and leaves no listener behind", async () => {
    const { signal } = new AbortController();
    expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    const controller = new AbortController();
    const never = orAborted(new Promise(() => {}), controller.signal);
    controller.abort(new Error("enough"));
    await expect(never).rejects.toThrow("enough");
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    await expect(orAborted(new Promise(() => {}), controller.signal)).rejects.toThrow("enough");
  });
});

describe("threads that share requests", () => {
  /**
   * Starts threads that answer with their number of requests so far: at once, or once a file is
   * there. They refuse an empty request.
   */
  const threadsOf = (count: number) =>
    new Threads(
      count,
      () =>
        threadOf(
          `import { existsSync } from "node:fs";
           let requests = 0;
           answerRequests(async (request) => {
             if (request === "") throw new Error("refused");
             while (request !== "now" && !existsSync(request)) {
               await new Promise((resolve) => setTimeout(resolve, 5));
             }
             return ++requests;
           });`,
        ).thread,
    );

  it("answer in the order of the requests, whoever asks meanwhile", async () => {
    const threads = threadsOf(2);
    const file = join(temporaryFolder(), "go");
    const first = threads.askAll([file, "now", "now"]);
    const second = threads.askAll(["now"]);
    // The first thread waits for the file, so the second one takes all others.
    expect(await second).toEqual([3]);
    writeFileSync(file, "");
    expect(await first).toEqual([1, 1, 2]);
    expect(await threads.askAll([])).toEqual([]);
  });

  it("post nothing more once the signal is aborted", async () => {
    const threads = threadsOf(1);
    const file = join(temporaryFolder(), "go");
    const abort = new AbortController();
    const first = threads.ask(file, abort.signal);
    const second = threads.ask("now", abort.signal);
    abort.abort(new Error("stopped"));
    writeFileSync(file, "");
    expect(await first).toBe(1);
    await expect(second).rejects.toThrow("stopped");
    expect(await threads.ask("now")).toBe(2);
  });

  it("fail with the error of a thread, and when they are stopped", async () => {
    const threads = threadsOf(1);
    await expect(threads.askAll(["", "now"])).rejects.toThrow("refused");
    const others = threadsOf(1);
    const never = join(temporaryFolder(), "never");
    const asked = expect(others.askAll([never, "now"])).rejects.toThrow(
      "the thread of the test was closed",
    );
    await others[Symbol.asyncDispose]();
    await asked;
  });
});

it("takes an error for one of a class whose module was loaded twice, in either copy", () => {
  const copy = () =>
    class extends Error {
      override readonly name = "TwiceLoaded";
      constructor(_code: string, message: string) {
        super(message);
      }
    };
  const copies = [copy(), copy()] as const;
  for (const each of copies) passErrors("TwiceLoaded", each);
  for (const each of copies) expect(new copies[1]("x", "y")).toBeInstanceOf(each);
  expect(new Error("y")).not.toBeInstanceOf(copies[0]);
});
