import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { importOnline, useStillHere } from "../../lib/connection.ts";
import { useAuth, useOwnership } from "../../lib/session.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { showError } from "../../ui/popup/popup-store.ts";
import { useFormats } from "../files/use-formats.ts";
import classes from "./print-again.module.css";

/** The shop of the student's newest order; its print page opens with the files chosen here and the options of last time. */
export function PrintAgain() {
  const { userData } = useAuth();
  return userData && <LastShop key={userData._id} user={userData} />;
}

function LastShop({ user }: { user: CurrentUser }) {
  // Read once: the route has fetched it, and nothing on this page changes it.
  const last = trpc.useUtils().orders.mine.getInfiniteData({})?.pages[0]?.rows[0];
  const input = useRef<HTMLInputElement>(null);
  const titleId = useId();
  const mayStore = useOwnership(user._id) === "own";
  const { accept, chooseLabel } = useFormats();
  const { isOpening, open } = useOpenWithFiles(user, last);
  if (!last) return null;
  return (
    <section className={classes.again} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        Print again at {last.shopName}
      </h2>
      <div className={classes.actions}>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept={accept}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            // The same files can be chosen again.
            currentTarget.value = "";
            if (files.length > 0) void open(files);
          }}
        />
        <Button
          size="md"
          className={classes.action}
          disabled={!mayStore}
          loading={isOpening}
          onClick={() => input.current?.click()}
        >
          {chooseLabel}
        </Button>
        <LinkButton
          to="/printnow"
          search={{ id: last.shopId }}
          size="md"
          variant="default"
          className={classes.action}
        >
          Open the shop
        </LinkButton>
      </div>
    </section>
  );
}

/** Loaded on demand: most visits of the home page upload nothing. */
const importAddFiles = importOnline(() => import("../print/add-files.ts"));

/** Opens the shop's print page with these files in its list, after checking that the shop is still there. */
function useOpenWithFiles(user: CurrentUser, shop: { shopId: string; shopName: string } | undefined) {
  const { shops } = trpc.useUtils();
  const navigate = useNavigate();
  const isStillHere = useStillHere();
  const [isOpening, setOpening] = useState(false);

  async function open(files: File[]): Promise<void> {
    if (!shop || isOpening) return;
    setOpening(true);
    try {
      const [{ addToDraft }] = await Promise.all([
        importAddFiles(),
        shops.byId.fetch({ id: shop.shopId }, { retry: false }),
      ]);
      addToDraft(user._id, shop.shopId, files);
      if (isStillHere()) await navigate({ to: "/printnow", search: { id: shop.shopId } });
    } catch (error) {
      const isGone = codeOf(error) === "NOT_FOUND";
      showError({
        title: isGone ? `${shop.shopName} is no longer at Print Store.` : messageOf(error),
        text: "Nothing was uploaded.",
      });
    } finally {
      setOpening(false);
    }
  }

  return { isOpening, open };
}
