import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import {
  type AccentTokens,
  accentSheet,
  accentTokens,
  contrast,
  LEAST_CONTRAST,
  type Theme,
} from './accent.ts'

const SURFACES: Record<Theme, string[]> = {
  light: ['#ffffff', '#f2f1ee', '#f7f6f4', '#eae9e6'],
  dark: ['#0d1213', '#141a1c', '#1d2325', '#101516', '#242c2d'],
}
/** Text of the theme on the soft accent. */
const TEXTS: Record<Theme, string[]> = {
  light: ['#162021', '#444e4f', '#5d6768'],
  dark: ['#e4e9ea', '#b2b9ba', '#8e9698'],
}

/** Corners and edges of sRGB, in steps of 51. */
const colours: string[] = []
for (let r = 0; r <= 255; r += 51)
  for (let g = 0; g <= 255; g += 51)
    for (let b = 0; b <= 255; b += 51)
      colours.push(`#${[r, g, b].map(part => part.toString(16).padStart(2, '0')).join('')}`)

function leastContrast(tokens: AccentTokens, theme: Theme): number {
  const soft = tokens['c-accent-soft']
  const pairs: [string, string][] = [
    [tokens['c-on-accent'], tokens['c-accent']],
    [tokens['c-on-accent'], tokens['c-accent-hover']],
    ...TEXTS[theme].map((text): [string, string] => [text, soft]),
    ...[...SURFACES[theme], soft].flatMap(surface =>
      (['c-accent', 'c-accent-text', 'c-link'] as const).map((name): [string, string] => [
        tokens[name],
        surface,
      ]),
    ),
  ]
  return Math.min(...pairs.map(pair => contrast(...pair)))
}

describe('the accent of the workspace (interface 17.2)', () => {
  for (const theme of ['light', 'dark'] as const) {
    it(`keeps a contrast of 4.5 in the ${theme} theme, whatever the colour`, () => {
      for (const colour of colours)
        expect(leastContrast(accentTokens(colour, theme), theme), colour).to.be.at.least(LEAST_CONTRAST)
    })
  }

  it('keeps the hue of a colour that is readable as it is', () => {
    expect(accentTokens('#016367', 'light')['c-accent']).to.equal('#016367')
    expect(accentTokens('#5d4037', 'light')['c-accent']).to.equal('#5d4037')
  })

  it('stands on the surfaces and texts of tokens.css', () => {
    const css = readFileSync(new URL('../../web/src/styles/tokens.css', import.meta.url), 'utf8')
    for (const colour of [...Object.values(SURFACES), ...Object.values(TEXTS)].flat())
      expect(css, colour).to.include(colour)
  })

  it('is a style sheet for both themes, chosen and of the system', () => {
    const sheet = accentSheet('#aa3300')
    expect(sheet).to.match(/^:root:root,\[data-theme="light"\]\[data-theme\]\{--c-accent:#/)
    expect(sheet.match(/--c-accent:/g)).to.have.length(3)
  })
})
