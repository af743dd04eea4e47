import { useEffect, useState } from "preact/hooks";
import { store } from "./stored.js";
import { ToolButton } from "./tools.js";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** The key under which the theme is stored; `site/theme.js` reads it before anything is drawn. */
const KEY = "gridlock-theme";

/** A button that goes through the themes: the system's, light, dark. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>("auto");
  useEffect(() => {
    const stored = document.documentElement.getAttribute("data-theme");
    setTheme(THEMES.find((each) => each === stored) ?? "auto");
  }, []);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] as Theme;
  const change = () => {
    document.documentElement.setAttribute("data-theme", next);
    store(KEY, next);
    setTheme(next);
  };
  return <ToolButton icon="theme" name={`Theme: ${theme}`} onClick={change} />;
}
