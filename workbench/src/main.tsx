// Where the page begins.

import { render } from "preact";
import { Page } from "./page/page.tsx";
import { listen } from "./page/shortcuts.tsx";
import { begin } from "./session.ts";

render(<Page />, document.getElementById("page")!);
listen();
begin();
