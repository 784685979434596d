import { expect } from 'chai'
import { hasContent } from './has-content.ts'

describe('fences', () => {
  it('without code are no content', () => {
    expect(hasContent(' \n')).to.equal(false)
    expect(hasContent('```')).to.equal(false)
    expect(hasContent('```yaml\n\n```')).to.equal(false)
    expect(hasContent('```\na\n```')).to.equal(true)
    expect(hasContent('a\n```\n```')).to.equal(true)
  })
})
