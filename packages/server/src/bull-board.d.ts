/*
 * The part of bull-board that is used here: it is not there at compile time where only production packages are installed.
 */

declare module "@bull-board/api" {
  export function createBullBoard(settings: {
    readonly queues: readonly object[];
    readonly serverAdapter: object;
    readonly options: { readonly uiConfig: { readonly boardTitle: string } };
  }): void;
}

declare module "@bull-board/api/bullMQAdapter" {
  export class BullMQAdapter {
    constructor(queue: object, options: { readonly readOnlyMode: boolean });
  }
}

declare module "@bull-board/hono" {
  export class HonoAdapter {
    constructor(serveStatic: unknown);
    setBasePath(path: string): this;
    registerPlugin(): object;
  }
}
