/**
 * Colours that replace the teal of both themes, from the accent of the workspace (interface 17.2). Lightness and chroma
 * are limited as for name colours; every text has a contrast of at least 4.5. Pure.
 */

export const ACCENT = /^#[0-9a-f]{6}$/i
export const LEAST_CONTRAST = 4.5

export type Theme = 'light' | 'dark'
/** Custom properties without `--`, as `#rrggbb`. */
export type AccentTokens = Record<(typeof NAMES)[number], string>

const NAMES = [
  'c-accent',
  'c-accent-hover',
  'c-accent-soft',
  'c-accent-line',
  'c-accent-text',
  'c-on-accent',
  'c-link',
  'c-focus',
  'logo-house',
] as const

interface Limits {
  /** Lightness and chroma of the accent. */
  lightness: (l: number) => number
  chroma: number
  /** Step of lightness that raises the contrast. */
  step: number
  soft: [lightness: number, chroma: number]
  line: [lightness: number, chroma: number]
  /** On the accent. */
  on: [lightness: number, chroma: number]
  hover: number
  house: (l: number) => number
  /** Surfaces behind text in the accent (tokens.css). */
  surfaces: string[]
}

const LIMITS: Record<Theme, Limits> = {
  light: {
    lightness: l => Math.min(l, 0.5),
    chroma: 0.15,
    step: -0.01,
    soft: [0.955, 0.022],
    line: [0.8, 0.065],
    on: [1, 0],
    hover: -0.055,
    house: l => l,
    surfaces: ['#ffffff', '#f2f1ee', '#f7f6f4', '#eae9e6'],
  },
  dark: {
    lightness: l => Math.max(l, 0.76),
    chroma: 0.13,
    step: 0.01,
    soft: [0.29, 0.035],
    line: [0.44, 0.06],
    on: [0.2, 0.03],
    hover: 0.05,
    house: () => 0.58,
    surfaces: ['#0d1213', '#141a1c', '#1d2325', '#101516', '#242c2d'],
  },
}

export function accentTokens(accent: string, theme: Theme): AccentTokens {
  const limits = LIMITS[theme]
  const [l, c, hue] = oklchOf(accent)
  const chroma = Math.min(c, limits.chroma)
  const colour = (lightness: number, most: number) => hexOf(lightness, Math.min(chroma, most), hue)
  const soft = colour(...limits.soft)
  const on = colour(...limits.on)
  const readable = (from: number, ...others: string[]) => {
    let lightness = from
    const isUnreadable = () =>
      others.some(other => contrast(colour(lightness, chroma), other) < LEAST_CONTRAST)
    while (isUnreadable() && lightness > 0 && lightness < 1) lightness += limits.step
    return lightness
  }
  const main = readable(limits.lightness(l), on, ...limits.surfaces, soft)
  // Black cannot be darker: its hover is lighter.
  const hovered = main + limits.hover < 0 ? main - limits.hover : main + limits.hover
  const text = colour(readable(main + 2 * limits.step, ...limits.surfaces, soft), chroma)
  return {
    'c-accent': colour(main, chroma),
    'c-accent-hover': colour(Math.min(readable(hovered, on), 1), chroma),
    'c-accent-soft': soft,
    'c-accent-line': colour(...limits.line),
    'c-accent-text': text,
    'c-on-accent': on,
    'c-link': text,
    'c-focus': colour(main, chroma),
    'logo-house': colour(limits.house(main), chroma),
  }
}

/** The style sheet that replaces the tokens of tokens.css, whatever the order of the two. */
export function accentSheet(accent: string): string {
  const light = declarations(accentTokens(accent, 'light'))
  const dark = declarations(accentTokens(accent, 'dark'))
  return `:root:root,[data-theme="light"][data-theme]{${light}}
[data-theme="dark"][data-theme]{${dark}}
@media (prefers-color-scheme: dark){:root:root:not([data-theme]){${dark}}}
@media (prefers-contrast: more){:root:root,[data-theme][data-theme]{--c-accent-line:var(--c-accent)}}
`
}

const declarations = (tokens: AccentTokens) => NAMES.map(name => `--${name}:${tokens[name]}`).join(';')

/** WCAG 2: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

type Triple = [number, number, number]

const linearOf = (hex: string) =>
  [1, 3, 5].map(at => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Triple

/** OKLCH: https://bottosson.github.io/posts/oklab/ */
function oklchOf(hex: string): Triple {
  const [r, g, b] = linearOf(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(a, bb), Math.atan2(bb, a)]
}

/** The nearest colour of sRGB with this lightness and hue. */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const l = Math.min(Math.max(lightness, 0), 1)
  let c = chroma
  while (c > 0 && rgbOf(l, c, hue).some(part => part < -0.0005 || part > 1.0005)) c -= 0.002
  const parts = rgbOf(l, Math.max(c, 0), hue).map(part => {
    const clamped = Math.min(Math.max(part, 0), 1)
    const value = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${parts.join('')}`
}

/** Linear sRGB. */
function rgbOf(lightness: number, chroma: number, hue: number): Triple {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
