import { readFileSync } from 'node:fs'
import { expect } from 'chai'

/** The colour declarations of a block, without line breaks. */
function block(css: string, opening: string) {
  const from = css.indexOf(opening)
  const text = css.slice(from + opening.length, css.indexOf('\n}', from)).replace(/\}\s*$/, '')
  return text
    .replaceAll(/\/\*.*?\*\//gs, '')
    .split(';')
    .map(declaration => declaration.trim().replaceAll(/\s+/g, ' '))
    .filter(declaration => declaration.startsWith('--') || declaration.startsWith('color-scheme'))
}

describe('the tokens', () => {
  const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

  it("are equal for the chosen dark theme and the system's dark theme", () => {
    const chosen = block(css, '[data-theme="dark"] {')
    expect(chosen.length).to.be.greaterThan(30)
    expect(block(css, ':root:not([data-theme]) {')).to.deep.equal(chosen)
  })
})
