import "./ui/theme/base-styles.ts";
import { RouterClient } from "@tanstack/react-router/ssr/client";
import { httpBatchLink } from "@trpc/client";
import { hydrateRoot } from "react-dom/client";
import { createStoreRouter } from "./router.tsx";

const router = createStoreRouter(httpBatchLink({ url: "/api/trpc" }));

hydrateRoot(document, <RouterClient router={router} />);
