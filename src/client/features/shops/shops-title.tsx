import { PageTitle } from "../../ui/page-title.tsx";

export function ShopsTitle() {
  return (
    <PageTitle lead="Compare prices, pick a shop, and upload your file there.">
      Print shops near your college
    </PageTitle>
  );
}
