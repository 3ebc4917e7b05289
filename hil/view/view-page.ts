/** The page in one piece: style and script put into the HTML, and a policy that allows these two and nothing else. */
import { createHash } from 'node:crypto';

export interface ViewPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

export interface PageParts {
  readonly html: string;
  readonly css: string;
  readonly script: string;
}

const stylePlace = '<style></style>';
const scriptPlace = '<script></script>';

export function assemblePage({ html, css, script }: PageParts): ViewPage {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(css)}'`,
    `script-src '${hashOf(script)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    // Replacements as functions: a $ in the script means nothing.
    html: html
      .replace(stylePlace, () => `<style>${css}</style>`)
      .replace(scriptPlace, () => `<script>${script}</script>`),
    contentSecurityPolicy: policy.join('; '),
  };
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
