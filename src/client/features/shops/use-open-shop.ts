import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { trpc } from "../../lib/trpc.ts";

/** Opens a shop once its data proved to be there. A failed check is only logged. */
export function useOpenShop() {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const [checking, setChecking] = useState(false);

  async function openShop(id: string) {
    setChecking(true);
    try {
      await utils.shops.byId.fetch({ id }, { retry: false });
      await navigate({ to: "/printnow", search: { id } });
    } catch (error) {
      console.error("The shop could not be checked", error);
    } finally {
      setChecking(false);
    }
  }

  return { checking, openShop };
}
