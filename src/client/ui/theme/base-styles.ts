/** The CSS that every page has. Mantine's stands in a layer, so that the store's own always wins over it. */
import "@mantine/core/styles/baseline.css";
import "@mantine/core/styles/default-css-variables.css";
import "@mantine/core/styles/global.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/Button.layer.css";
import "@mantine/core/styles/Loader.layer.css";
import "./fonts.css";
import "./tokens.css";
import "./global.css";
