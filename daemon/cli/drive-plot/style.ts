/** Colours, sizes and places of the picture. */

/** Width of the picture and of the column at its left that names what is drawn, px. */
export const pictureWidth = 1000;
export const plotLeft = 198;
export const plotRight = 946;
export const margin = 16;

export const textSize = 12;
export const smallSize = 11;
export const fontFamily =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, 'DejaVu Sans', sans-serif";

/**
 * Hues of Okabe and Ito's palette (2008), which stay apart under the common colour deficiencies, darkened where
 * a thin line on white would be too faint. No meaning hangs on colour alone: lines differ in dash, marks in shape.
 */
export const colours = {
  paper: '#ffffff',
  ink: '#1f2328',
  quiet: '#59636e',
  frame: '#c4cad1',
  steel: '#a3adb8',
  grid: '#e7eaee',
  blue: '#0072b2',
  green: '#007d5c',
  vermilion: '#c94f00',
  purple: '#a3487f',
} as const;

/** Modes from best to worst: the worse, the darker. */
export const modeColours = {
  NORMAL: '#dfe8e4',
  ADVISORY: '#f0c24b',
  MONITOR: '#c97b2c',
  STOPPED: '#3b3f45',
} as const;
