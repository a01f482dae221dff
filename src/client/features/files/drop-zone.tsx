import { type DragEvent, type ReactNode, useEffect, useState } from "react";

interface DropZoneProps {
  className?: string | undefined;
  /** Media types, to show while something is dragged whether it can be dropped; names are not known before. */
  types: readonly string[];
  onDrop: (files: File[]) => void;
  children: ReactNode;
}

/** Takes dropped files and folders. It has `data-accept` or `data-reject` while something is dragged over it. */
export function DropZone({ className, types, onDrop, children }: DropZoneProps) {
  const [over, setOver] = useState<"accept" | "reject" | null>(null);
  useEffect(ignoreMissedDrops, []);

  function dragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    const items = [...event.dataTransfer.items];
    // Folders have no type, nor have files whose kind the system does not know.
    setOver(items.every(({ type }) => type === "" || types.includes(type)) ? "accept" : "reject");
  }

  function dragLeave({ currentTarget, relatedTarget }: DragEvent): void {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(null);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(null);
    void droppedFiles(event.dataTransfer).then(onDrop);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      className={className}
      data-accept={over === "accept" || undefined}
      data-reject={over === "reject" || undefined}
      onDragOver={dragOver}
      onDragLeave={dragLeave}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

/** A browser would leave the page to show a file that was dropped beside the zone. */
function ignoreMissedDrops(): () => void {
  const ignore = (event: Event) => event.preventDefault();
  document.addEventListener("dragover", ignore);
  document.addEventListener("drop", ignore);
  return () => {
    document.removeEventListener("dragover", ignore);
    document.removeEventListener("drop", ignore);
  };
}

/** The dropped files, and those in dropped folders. Reads `items` at once, as they are empty after the event. */
async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return [...files];
  return (await Promise.all(entries.map((entry) => (entry ? filesOf(entry) : [])))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  // Such as .DS_Store, which nobody dropped knowingly.
  if (entry.name.startsWith(".")) return [];
  if (entry.isFile)
    return [await new Promise<File>((...done) => (entry as FileSystemFileEntry).file(...done))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // Each call returns some of the entries, the last one none.
  while (true) {
    const some = await new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done));
    if (some.length === 0) return files;
    files.push(...(await Promise.all(some.map(filesOf))).flat());
  }
}
