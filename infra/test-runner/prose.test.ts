import { expect } from 'chai'
import { oddSentences } from './prose.ts'

describe('the counter of hard sentences', () => {
  const lines = (path: string, ...source: string[]) =>
    oddSentences(path, source.join('\n')).map(({ line }) => line)

  it('finds the first sentence of a comment and every later one', () => {
    expect(
      lines('a.ts', '// What is left.', 'f() // One more', '// Returns it. Who asks, waits.'),
    ).to.deep.equal([1, 2, 3])
    expect(lines('a.ts', '/**', ' * Returns it.', ' * Whatever is left goes.', ' */')).to.deep.equal([3])
    expect(lines('a.css', '/* Of those,', '   One of them */')).to.deep.equal([1])
    expect(lines('a.sql', 'select 1 -- Nobody waits', '-- So it is.')).to.deep.equal([1, 2])
    expect(lines('a.tsx', '{/* Whoever reads it */}')).to.deep.equal([1])
  })

  it('passes over the middle of a sentence, code and strings', () => {
    expect(lines('a.ts', '// The rows of', '// One is enough for it.', '// a list')).to.deep.equal([])
    expect(lines('a.ts', `f('http://a // What is it')`, 'const What = "So it is"')).to.deep.equal([])
    expect(lines('a.ts', '// What?', '// One')).to.deep.equal([])
  })

  it('finds "answers" where "returns" is meant, and not the answer of a server', () => {
    expect(lines('a.ts', '/** Answers how many. */', '/** Removes it; answers how many. */')).to.deep.equal([
      1, 2,
    ])
    expect(lines('a.ts', '/** The server answers 503. */', '// An answer')).to.deep.equal([])
  })

  it('finds fragments whose noun stands elsewhere, and "so many" for a parameter', () => {
    expect(
      lines(
        'a.ts',
        '/** For which nobody waits. */',
        '/** That of the port. */',
        '/** Midnight so many days ago. */',
      ),
    ).to.deep.equal([1, 2, 3])
    expect(lines('a.ts', '/** The port for which it waits. */', '// Not so many')).to.deep.equal([])
  })

  it('looks at the start of paragraphs and list items in Markdown', () => {
    const source = [
      'What is kept:',
      '',
      'The rows. So many',
      'One more',
      '',
      '- Who may read',
      '1. Of these',
      '```',
      '',
    ]
    expect(lines('a.md', ...source, 'What is code', '```')).to.deep.equal([1, 6, 7])
  })
})
