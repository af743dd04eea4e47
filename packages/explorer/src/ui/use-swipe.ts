import type { Direction } from "@gridlock/game";
import { useRef } from "preact/hooks";

/** Pixels that a finger must move to slide the board. */
const LEAST = 24;

/** Listens to swipes of a finger on an element. */
export function useSwipe(onSwipe: (direction: Direction) => void) {
  const from = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined);
  return {
    onPointerDown: (event: PointerEvent) => {
      from.current = event.pointerType === "touch" ? { x: event.x, y: event.y } : undefined;
    },
    onPointerUp: (event: PointerEvent) => {
      const start = from.current;
      from.current = undefined;
      if (start === undefined) return;
      const [dx, dy] = [event.x - start.x, event.y - start.y];
      if (Math.max(Math.abs(dx), Math.abs(dy)) < LEAST) return;
      if (Math.abs(dx) > Math.abs(dy)) onSwipe(dx > 0 ? "right" : "left");
      else onSwipe(dy > 0 ? "down" : "up");
    },
    onPointerCancel: () => {
      from.current = undefined;
    },
  };
}
