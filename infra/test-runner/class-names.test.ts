import { expect } from 'chai'
import { classesOfPage, classesOfSheet } from './class-names.ts'

describe('class names', () => {
  it('of a style sheet come from selectors, nested ones too, and not from values or comments', () => {
    const css = '/* .old { */ .row { margin: .5em; &.is-open > .row-name, .row-time { color: red } }'
    expect(classesOfSheet(css)).to.deep.equal(['row', 'is-open', 'row-name', 'row-time'])
  })

  it('of a component come from fixed and computed attributes', () => {
    expect(classesOfPage('<p class="row row-first">')).to.deep.equal(['row', 'row-first'])
    expect(classesOfPage("<p class={kind === 'none' ? 'row' : 'row is-open'}>")).to.deep.equal([
      'row',
      'row',
      'is-open',
    ])
  })

  it('of a template leave out names with a computed end', () => {
    expect(classesOfPage(`<p class={\`icon icon-\${size}\${flip ? ' icon-flip' : ''}\`}>`)).to.deep.equal([
      'icon',
      'icon-flip',
    ])
  })
})
