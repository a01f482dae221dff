/** The CSS of every page. Mantine's is in a layer, so that the store's own overrides it. */
import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/global.layer.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/Button.layer.css";
import "@mantine/core/styles/Loader.layer.css";
import "#ui/theme/fonts.css";
import "#ui/theme/tokens.css";
import "./display-font.css";
import "#ui/theme/global.css";
