import { createFileRoute } from "@tanstack/react-router";
import { PrintPage } from "../../features/print/print-page.tsx";
import { pageHead } from "../../lib/page-head.ts";

const DESCRIPTION = "Upload your files, choose how they are printed and see the price.";

export const Route = createFileRoute("/_user/printnow")({
  validateSearch: ({ id }: Record<string, unknown>): { id?: string } =>
    typeof id === "string" || typeof id === "number" ? { id: String(id) } : {},
  loaderDeps: ({ search }) => ({ id: search.id ?? "" }),
  loader: ({ context: { utils }, deps }) =>
    Promise.all([utils.shops.byId.prefetch(deps), utils.files.formats.prefetch(undefined, { retry: false })]),
  head: () => pageHead({ title: "Print now", description: DESCRIPTION }),
  component: PrintNowPage,
});

function PrintNowPage() {
  const { id = "" } = Route.useSearch();
  const { user } = Route.useRouteContext();
  return <PrintPage shopId={id} user={user} />;
}
