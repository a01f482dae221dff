import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type MouseEvent, useEffect, useState } from "react";
import { isOfficeFile } from "#shared/file-formats.ts";
import { counted, formatBytes } from "#shared/format.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { focusItemBeside } from "#ui/focus.ts";
import { IconButton } from "#ui/icon-button.tsx";
import {
  chooseShared,
  listShared,
  MAX_SHARED_BYTES,
  MAX_SHARED_FILES,
  removeShared,
  type SharedFile,
} from "#ui/shared-files.ts";
import { trpc } from "#ui/trpc.ts";
import TbTrash from "~icons/tabler/trash";
import { useAuth } from "../../lib/session.ts";
import { Card, CardColumn } from "../../ui/card.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { showError } from "../../ui/popup/popup-store.ts";
import { useFormats } from "../files/use-formats.ts";
import { lastShopId } from "../print/known-shops.ts";
import classes from "./shared-page.module.css";

interface SharedPageProps {
  /** How many shared files were not kept. */
  leftOut: number;
  /** Whether files were shared before this browser could receive any. */
  isMissed: boolean;
}

/** The files that came from other apps. They stay on the device until their owner has logged in and chosen a shop. */
export function SharedPage({ leftOut, isMissed }: SharedPageProps) {
  const { userData } = useAuth();
  const viewer = userData?._id ?? "";
  const { files, reload } = useSharedFiles(viewer);
  const { isConverting } = useFormats();
  const unconverted = (files ?? []).filter(({ file }) => !isConverting && isOfficeFile(file));
  const printable = (files ?? []).filter((file) => !unconverted.includes(file));

  function remove(press: MouseEvent<HTMLButtonElement>, shown: Pick<SharedFile, "key">[]): void {
    ignoreSecondPress(press);
    focusItemBeside(press.currentTarget);
    const keys = shown.map(({ key }) => key);
    void removeShared(({ key }) => keys.includes(key)).then(reload);
  }

  if (isMissed) {
    return (
      <Notice
        art="missing"
        title="Please share the file once more"
        text="Print Store was not ready to receive it, and nothing was sent. It is ready now: go back to the other app and share it again."
      />
    );
  }
  if (!files) return <p role="status">Looking for shared files…</p>;
  if (files.length === 0) {
    return (
      <Notice
        art="empty"
        title="No shared files"
        text={leftOut > 0 ? leftOutText(leftOut) : userData ? NONE : `${NONE} ${MAY_BE_HIDDEN}`}
      >
        {userData ? <LinkButton to="/shops">Find a print shop</LinkButton> : <LoginChoice />}
      </Notice>
    );
  }
  return (
    <>
      <PageTitle lead="They are on this device only, until you choose where to print them.">
        Print shared files
      </PageTitle>
      <CardColumn>
        <Card title={counted(files.length, "file")}>
          {leftOut > 0 && (
            <p role="status" className={classes.note}>
              {leftOutText(leftOut)}
            </p>
          )}
          <ul className={classes.files}>
            {files.map(({ key, file }) => (
              <li key={key} className={classes.file}>
                <span className={classes.name}>
                  {file.name} <span className={classes.size}>{formatBytes(file.size)}</span>
                </span>
                <IconButton label={`Remove ${file.name}`} onClick={(press) => remove(press, [{ key }])}>
                  <TbTrash size={20} />
                </IconButton>
              </li>
            ))}
          </ul>
          {unconverted.length > 0 && (
            <p role="status" className={classes.note}>
              {unconverted.map(({ file }) => `“${file.name}”`).join(", ")} cannot be printed as it is. Save it
              as a PDF and share that.
            </p>
          )}
          <div className={classes.actions}>
            {!userData && <LoginChoice />}
            {userData && printable.length > 0 && <ShopChoice files={printable} userId={userData._id} />}
            {files.length > 1 && (
              <Button size="md" variant="default" onClick={(press) => remove(press, files)}>
                Remove all
              </Button>
            )}
          </div>
        </Card>
      </CardColumn>
    </>
  );
}

const NONE = "Share a PDF or a picture with Print Store from another app, and it appears here.";
/** To a guest: files that were shared during a session that has since ended are shown only to their owner. */
const MAY_BE_HIDDEN = "If you have just shared something, log in to see it.";

function leftOutText(count: number): string {
  const subject = count === 1 ? "One file was" : `${count} files were`;
  return `${subject} left out: PDFs and pictures can be printed, at most ${MAX_SHARED_FILES} at a time and ${formatBytes(MAX_SHARED_BYTES)} together, if your device has room for them.`;
}

const DEVICE_FULL = {
  title: "Your device is full",
  text: "Nothing is lost. Make some room, or remove some of these files, and try again",
};

/** Whoever presses one of these takes the files over. */
function ShopChoice({ files, userId }: { files: SharedFile[]; userId: string }) {
  const navigate = useNavigate();
  const [lastId] = useState(() => lastShopId(userId));
  const { data: shop } = trpc.shops.byId.useQuery({ id: lastId ?? "" }, { enabled: lastId !== null });

  async function go(to: "/shops" | "/printnow") {
    const keys = files.map(({ key }) => key);
    try {
      await chooseShared(keys, userId);
    } catch {
      return showError(DEVICE_FULL);
    }
    if (to === "/printnow" && lastId) await navigate({ to, search: { id: lastId } });
    else await navigate({ to: "/shops" });
  }

  return (
    <>
      {shop && (
        <Button size="md" onClick={() => void go("/printnow")}>
          Print at {shop.shopName}
        </Button>
      )}
      <Button size="md" variant={shop ? "default" : "filled"} onClick={() => void go("/shops")}>
        {shop ? "Choose another shop" : "Choose a shop"}
      </Button>
    </>
  );
}

function LoginChoice() {
  const search = { redirect: "/shared" };
  return (
    <>
      <LinkButton to="/login" search={search}>
        Log in to print
      </LinkButton>
      <LinkButton to="/signup" search={search} variant="default">
        Sign up
      </LinkButton>
    </>
  );
}

/** Undefined until the browser's storage is read; empty where it is forbidden. */
function useSharedFiles(viewer: string) {
  const [files, setFiles] = useState<SharedFile[]>();
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after a change
  useEffect(() => {
    let isCurrent = true;
    const show = (found: SharedFile[]) => isCurrent && setFiles(found);
    listShared(viewer).then(show, () => show([]));
    return () => {
      isCurrent = false;
    };
  }, [viewer, round]);
  return { files, reload: () => setRound((last) => last + 1) };
}
