/** The routes that stand beside what they serve. Generated from the files of this folder by `npm run generate`. */

import type { Route } from "../route";
import { controlRoutes } from "./control";

/** All of them. */
export const foundRoutes: readonly Route[] = [...controlRoutes];
