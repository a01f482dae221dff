import type { JSX, SVGProps } from "react";

interface IconProps extends SVGProps<SVGSVGElement> {
  /** Pixels; as high as the text if missing. */
  size?: number;
}

export type Icon = (props: IconProps) => JSX.Element;

/** A component of an icon of these lines, or shapes if it is filled. Its name is in the text or label around it. */
export function drawIcon(paths: string[], filled: boolean): Icon {
  const colours = filled
    ? { fill: "currentColor" }
    : { fill: "none", stroke: "currentColor", strokeWidth: 2 };
  return ({ size, ...rest }) => (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width={size ?? "1em"}
      height={size ?? "1em"}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...colours}
      {...rest}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
