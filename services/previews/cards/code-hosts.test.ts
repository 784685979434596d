import { expect } from 'chai'
import fc from 'fast-check'
import { hostedFile, namedFile, namedLines } from './code-hosts.ts'

const fileOf = (address: string) => {
  const file = hostedFile(new URL(address))
  return file && [file.raw.href, file.filepath]
}

describe('the file of a code host (interface 4.4)', () => {
  const CASES: [why: string, address: string, raw: string, filepath: string][] = [
    [
      'GitHub',
      'https://github.com/ada/mill/blob/main/src/pump.py#L3-L9',
      'https://github.com/ada/mill/raw/main/src/pump.py',
      'src/pump.py',
    ],
    [
      'GitHub, a commit',
      'https://github.com/ada/mill/blob/0a1b2c3d/README',
      'https://github.com/ada/mill/raw/0a1b2c3d/README',
      'README',
    ],
    [
      'GitHub Enterprise',
      'https://git.corp.example:8443/ada/mill/blob/v1.2/a.go?plain=1',
      'https://git.corp.example:8443/ada/mill/raw/v1.2/a.go',
      'a.go',
    ],
    [
      'GitHub, a path like those of others',
      'https://github.com/a/m/blob/main/src/branch/x/-/blob/y.c',
      'https://github.com/a/m/raw/main/src/branch/x/-/blob/y.c',
      'src/branch/x/-/blob/y.c',
    ],
    [
      'GitLab',
      'https://gitlab.com/ada/mill/-/blob/main/src/pump.py?ref_type=heads',
      'https://gitlab.com/ada/mill/-/raw/main/src/pump.py',
      'src/pump.py',
    ],
    [
      'GitLab, groups in groups',
      'https://gitlab.corp.example/a/b/c/mill/-/blob/main/x.rb',
      'https://gitlab.corp.example/a/b/c/mill/-/raw/main/x.rb',
      'x.rb',
    ],
    [
      'Gitea, a branch',
      'https://codeberg.org/ada/mill/src/branch/main/src/pump.py',
      'https://codeberg.org/ada/mill/raw/branch/main/src/pump.py',
      'src/pump.py',
    ],
    [
      'Gitea, a tag',
      'https://git.example/ada/mill/src/tag/v1/x.py',
      'https://git.example/ada/mill/raw/tag/v1/x.py',
      'x.py',
    ],
    [
      'Forgejo, a commit',
      'https://git.example/ada/mill/src/commit/0a1b/x.py',
      'https://git.example/ada/mill/raw/commit/0a1b/x.py',
      'x.py',
    ],
    [
      'Gitea in a folder of its host',
      'https://corp.example/git/ada/mill/src/branch/main/x.py',
      'https://corp.example/git/ada/mill/raw/branch/main/x.py',
      'x.py',
    ],
    [
      'Bitbucket Cloud',
      'https://bitbucket.org/ada/mill/src/main/src/pump.py#lines-3:9',
      'https://bitbucket.org/ada/mill/raw/main/src/pump.py',
      'src/pump.py',
    ],
    [
      'Bitbucket Server',
      'https://bb.example/projects/MILL/repos/pump/browse/src/pump.py?at=refs%2Fheads%2Fmain&token=x#3-9',
      'https://bb.example/projects/MILL/repos/pump/raw/src/pump.py?at=refs%2Fheads%2Fmain',
      'src/pump.py',
    ],
    [
      'Bitbucket Server, of a person',
      'https://bb.example/bitbucket/users/ada/repos/pump/browse/pump.py',
      'https://bb.example/bitbucket/users/ada/repos/pump/raw/pump.py',
      'pump.py',
    ],
    [
      'signs in names',
      'https://github.com/a/m/blob/main/my%20files/%C3%A4%20%231%3F.py',
      'https://github.com/a/m/raw/main/my%20files/%C3%A4%20%231%3F.py',
      'my files/ä #1?.py',
    ],
    [
      'a percent sign stays one',
      'https://github.com/a/m/blob/main/%252e%252e/x.py',
      'https://github.com/a/m/raw/main/%252e%252e/x.py',
      '%2e%2e/x.py',
    ],
  ]
  for (const [why, address, raw, filepath] of CASES) {
    it(`${why}: ${address}`, () => {
      expect(fileOf(address)).to.deep.equal([raw, filepath])
    })
  }

  const NONE = [
    'https://github.com/ada/mill',
    'https://github.com/ada/mill/blob/main',
    'https://github.com/ada/mill/blob/main/',
    'https://github.com/ada/mill/tree/main/src',
    'https://github.com/ada/mill/pull/12/files',
    'https://gitlab.com/ada/mill/-/tree/main/src',
    'https://gitlab.com/ada/mill/-/blob/main',
    'https://codeberg.org/ada/mill/src/branch/main',
    'https://bitbucket.org/ada/mill/src/main/',
    'https://bb.example/projects/MILL/repos/pump/browse',
    'https://bb.example/projects/MILL/repos/pump/browse/',
    // Names that become several segments, or a step up, when decoded again.
    'https://github.com/ada/mill/blob/main/a%2Fb.py',
    'https://github.com/ada/mill/blob/main/..%2F..%2Fx.py',
    'https://github.com/ada/mill/blob/main/%5C..%5Cx.py',
    'https://github.com/ada/mill/blob/main/x%0d%0aHost:%20y.py',
    'https://github.com/ada/mill/blob/main/x%00.py',
    'https://github.com/ada/mill/blob/main/%ff.py',
    'https://github.com/ada/mill/blob/main/../../x.py',
    'https://github.com/ada/mill/blob/main/%2e%2e/%2e%2e/x.py',
    'https://github.com/ada/mill/blob/main//x.py',
    'https://mill.example/',
    'https://mill.example/blob/main/x.py',
  ]
  for (const address of NONE) {
    it(`is none: ${address}`, () => {
      expect(hostedFile(new URL(address))).to.equal(undefined)
    })
  }

  it('never leaves its host or path, for any address', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '.', '%2e%2e', '%2f', '\\', '//evil.example', '?', '#'),
    )
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), parts => {
        const url = new URL(`https://git.example/ada/mill/blob/main/${parts.join('/')}`)
        const file = hostedFile(url)
        if (!file) return
        expect(file.raw.origin).to.equal('https://git.example')
        // All segments but one are equal: nothing later resolves what the URL parser did not.
        expect(decodeURIComponent(file.raw.pathname)).to.equal(
          decodeURIComponent(url.pathname).replace('/blob/', '/raw/'),
        )
        expect(file.raw.search + file.raw.hash).to.equal('')
        expect(file.filepath.split('/')).to.not.include('..')
      }),
    )
  })
})

describe('the file name at the end of an address', () => {
  const CASES: [address: string, filename: string | undefined][] = [
    ['https://mill.example/files/pump.py?x=1#L2', 'pump.py'],
    ['https://mill.example/Dockerfile', 'Dockerfile'],
    ['https://mill.example/', undefined],
    ['https://mill.example/pump.py/', undefined],
    ['https://mill.example/a%2Fpump.py', undefined],
  ]
  for (const [address, filename] of CASES) {
    it(`${address}: ${filename ?? 'none'}`, () => {
      expect(namedFile(new URL(address))?.filename).to.equal(filename)
    })
  }
})

describe('the line range in an anchor', () => {
  const CASES: [anchor: string, lines: [number, number] | undefined][] = [
    ['#L5', [5, 5]],
    ['#L5-L9', [5, 9]],
    ['#L5-9', [5, 9]],
    ['#L5C2-L9C14', [5, 9]],
    ['#L9-L5', [5, 9]],
    ['#lines-5', [5, 5]],
    ['#lines-5:9', [5, 9]],
    ['#lines-5%3A9', [5, 9]],
    ['#lines-5,7:9', [5, 5]],
    ['#5', [5, 5]],
    ['#5-9', [5, 9]],
    ['#5-9,12', [5, 9]],
    ['#L0-L4', undefined],
    ['#L0', undefined],
    ['#L-5', undefined],
    ['#L5-', undefined],
    ['#L123456789', [123456789, 123456789]],
    ['#L99999999999999999999', undefined],
    ['#L5-L99999999999999999999', undefined],
    ['#Lines', undefined],
    ['#5-steps', undefined],
    ['#introduction', undefined],
    ['#%E0%A4%A', undefined],
    ['#', undefined],
    ['', undefined],
  ]
  for (const [anchor, lines] of CASES) {
    it(`${anchor || 'none'}: ${lines?.join(' to ') ?? 'no lines'}`, () => {
      const expected = lines && { start: lines[0], end: lines[1] }
      expect(namedLines(new URL(`https://github.com/a/b/blob/c/d.py${anchor}`))).to.deep.equal(expected)
    })
  }
})
