import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import fc from 'fast-check'
import { openGraph } from './open-graph.ts'
import { pageText } from './page-text.ts'

const PAGE = new URL('https://mill.example/a/page')
const card = (html: string) => openGraph(html, PAGE)
const pictures = (html: string) => card(`<title>t</title>${html}`)?.pictures.map(url => url.href)

describe('the card of a page', () => {
  const fixtures: Record<string, { title: string; description: string; pictures: string[] }> = {
    news: {
      title: 'Weir at the old mill opens after forty years',
      description: 'Three people measured the water twice. "Nobody had told us," says the keeper & laughs.',
      pictures: ['https://mill.example/images/weir.jpg?w=1200&h=630', 'https://mill.example/icons/touch.png'],
    },
    shop: {
      title: 'Brass oil lamp, 24 cm',
      description: 'Burns for nine hours. Made in small numbers; wick included.',
      pictures: ['https://cdn.shop.example/catalogue/lamps/brass-24.webp'],
    },
    wiki: {
      title: 'Weir — Handbook of small waters',
      description: '',
      pictures: ['https://mill.example/icon-192.png', 'https://mill.example/touch.png'],
    },
    app: {
      title: 'Harbour wall, sprint 12 > board',
      description: '12 cards, 4 people',
      pictures: ['https://tidewater.example/share/12.png'],
    },
    'forum-shift-jis': {
      title: '水車小屋の堰 - 小さな水辺の掲示板',
      description: '四十年ぶりに堰が開いた。表示の確認：能ソ十表',
      pictures: [],
    },
    'gazette-windows-1251': {
      title: 'Плотина у старой мельницы открыта',
      description: 'Воду измеряли дважды — шестом и «на глаз»',
      pictures: [],
    },
  }
  for (const [name, expected] of Object.entries(fixtures)) {
    it(`of fixtures/${name}.html`, () => {
      const body = readFileSync(new URL(`./fixtures/${name}.html`, import.meta.url))
      const { title, description, pictures } = card(pageText(body, undefined))!
      expect({ title, description, pictures: pictures.map(url => url.href) }).to.deep.equal(expected)
    })
  }

  const TITLES: [why: string, html: string, title: string | undefined][] = [
    [
      'og before all',
      '<meta name=twitter:title content=tw><title>ti</title><meta property=og:title content=og>',
      'og',
    ],
    ['twitter before <title>', '<title>ti</title><meta name="twitter:title" content="tw">', 'tw'],
    ['<title> when there is nothing else', '<title>ti</title>', 'ti'],
    ['a blank value is ignored', '<meta property="og:title" content=" \u200b "><title>ti</title>', 'ti'],
    ['the first of several', '<meta property=og:title content=1><meta property=og:title content=2>', '1'],
    ['the first that is not blank', '<title> </title><title>ti</title>', 'ti'],
    ['name instead of property', '<meta name="og:title" content="og">', 'og'],
    ['names in capitals', '<META PROPERTY="OG:Title" CONTENT="og">', 'og'],
    ['without quotes', '<meta property=og:title content=og>', 'og'],
    ['entities', '<title>Tom &amp; Jerry &#x1F600; &nbsp;&lt;b&gt; &copy</title>', 'Tom & Jerry 😀 <b> ©'],
    [
      'entities in a value',
      '<meta property=og:title content="&quot;a&quot; &eacute;&#0;&#xD800;">',
      '"a" é\ufffd\ufffd',
    ],
    ['tags in a title are its text', '<title>a <b>c</b></title>', 'a <b>c</b>'],
    ['a > in a quoted value', '<meta property="og:title" content="a > b">', 'a > b'],
    ['quotes in other quotes', `<meta property='og:title' content='a "b"'>`, 'a "b"'],
    ['not from a comment', '<!-- <title>no</title> --><title>ti</title>', 'ti'],
    ['not from a script', '<script>"<title>no</title>"</script><title>ti</title>', 'ti'],
    ['not from an attribute', '<link data-x="<title>no</title>"><title>ti</title>', 'ti'],
    ['not from a drawing', '<svg><title>no</title></svg><title>ti</title>', 'ti'],
    ['no <title> of the body', '<head></head><body><title>no</title>', undefined],
    [
      'tags of the body, where the head has none',
      '<head><meta name="theme-color" content="#fff"></head><body><p><meta property="og:title" content="A film">',
      'A film',
    ],
    [
      'tags of the head before those of the body',
      '<head><meta property=og:title content=head></head><body><meta property=og:title content=body>',
      'head',
    ],
    ['a page without head or body', 'hello <title>ti</title> world', 'ti'],
    ['a title that is never closed', '<title>ti<meta name=description content=d>', 'ti'],
    ['a script that is never closed', '<script>x <title>ti</title>', 'ti'],
    ['an attribute that is never closed', '<title>ti</title><meta property="og:title content=og>', 'ti'],
    ['a text that ends within a tag', '<title>ti</title><meta property=og:title content=og', 'ti'],
    ['NUL everywhere', '\0<title>\0t\0i\0</title>\0', 'ti'],
    ['bidirectional controls', '<title>a\u202eb\u2066c</title>', 'abc'],
    ['no title', '<meta name=description content=d><meta property=og:image content=/a.png>', undefined],
    ['nothing', '', undefined],
  ]
  for (const [why, html, title] of TITLES) {
    it(`title: ${why}`, () => {
      expect(card(html)?.title).to.equal(title)
    })
  }

  const DESCRIPTIONS: [html: string, description: string][] = [
    [
      '<meta name=description content=d><meta name=twitter:description content=t><meta property=og:description content=o>',
      'o',
    ],
    ['<meta name=description content=d><meta name=twitter:description content=t>', 't'],
    ['<meta name=Description content="d\n  e">', 'd e'],
    ['<meta property=og:description content=""><meta name=description content=d>', 'd'],
    ['<p>a paragraph</p>', ''],
  ]
  for (const [html, description] of DESCRIPTIONS) {
    it(`description: ${JSON.stringify(description)} of ${html}`, () => {
      expect(card(`<title>t</title>${html}`)?.description).to.equal(description)
    })
  }

  const PICTURES: [why: string, html: string, pictures: string[]][] = [
    ['absolute', '<meta property=og:image content=https://a.example/b.png>', ['https://a.example/b.png']],
    ['relative to the page', '<meta property=og:image content=b.png>', ['https://mill.example/a/b.png']],
    ['from the root', '<meta property=og:image content=/b.png>', ['https://mill.example/b.png']],
    ['without scheme', '<meta property=og:image content=//c.example/b.png>', ['https://c.example/b.png']],
    [
      'relative to <base>',
      '<base href=/x/><meta property=og:image content=b.png>',
      ['https://mill.example/x/b.png'],
    ],
    [
      'a <base> that is no address of the web',
      '<base href="javascript:1"><meta property=og:image content=b.png>',
      ['https://mill.example/a/b.png'],
    ],
    ['javascript', '<meta property=og:image content="javascript:alert(1)">', []],
    ['javascript in disguise', '<meta property=og:image content=" java\nscript:alert(1)">', []],
    ['data', '<meta property=og:image content="data:image/png;base64,AAAA">', []],
    ['file', '<meta property=og:image content="file:///etc/passwd">', []],
    ['with a user', '<meta property=og:image content="https://a:b@c.example/d.png">', []],
    ['no address at all', '<meta property=og:image content="https://[">', []],
    ['too long', `<meta property=og:image content="/${'x'.repeat(2_048)}">`, []],
    [
      'og before twitter before icons, each once',
      '<link rel=apple-touch-icon href=/i.png><meta name=twitter:image content=/t.png><meta property=og:image content=/o.png><meta property=og:image:url content=/o.png>',
      ['https://mill.example/o.png', 'https://mill.example/t.png', 'https://mill.example/i.png'],
    ],
    ['image_src', '<link rel=image_src href=/s.png>', ['https://mill.example/s.png']],
    [
      'icons, the largest first',
      '<link rel=icon sizes=96x96 href=/1.png><link rel="shortcut icon" sizes="32x32 256x256" href=/2.png>',
      ['https://mill.example/2.png', 'https://mill.example/1.png'],
    ],
    [
      'no icon of a tab',
      '<link rel=icon href=/1.png><link rel=icon sizes=32x32 href=/2.png><link rel=mask-icon sizes=99x99 href=/3.svg>',
      [],
    ],
    ['no drawing', '<link rel=icon type=image/svg+xml sizes="512x512" href=/1.svg>', []],
  ]
  for (const [why, html, expected] of PICTURES) {
    it(`picture: ${why}`, () => {
      expect(pictures(html)).to.deep.equal(expected)
    })
  }
})

describe('a hostile page', () => {
  const MOST = 512 * 1_024
  const filled = (part: string, before = '', after = '') =>
    before + part.repeat(Math.floor((MOST - before.length - after.length) / part.length)) + after

  const PAGES: [why: string, html: string, title: string | undefined][] = [
    ['a hundred thousand deep', filled('<a>', '', '<title>t</title>'), 't'],
    ['deep in its head', filled('<div><meta>', '<head>', '<title>t</title></head>'), 't'],
    ['tens of thousands of titles', filled('<meta property=og:title content=x>'), 'x'],
    ['titles that are never closed', filled('<title>', '<title>t'), 't'],
    ['titles of blanks', filled('<title> </title>', '', '<title>t</title>'), undefined],
    ['scripts that are never closed', filled('<script>', '<title>t</title>'), 't'],
    [
      'all kinds that are never closed',
      filled('<svg><style><noscript><template><title>', '<title>t</title>'),
      't',
    ],
    ['comments that are never closed', filled('<!--', '<title>t</title>'), 't'],
    ['quotes that are never closed', filled('<meta content="', '<title>t</title>'), 't'],
    ['equals signs', filled(`=`, '<title>t</title><meta content'), 't'],
    ['attributes without end', filled(' a=b', '<title>t</title><meta '), 't'],
    ['attributes by the thousand', filled('<meta og: a a a a a a a a a a a>', '<title>t</title>'), 't'],
    ['nothing but opening signs', filled('<'), undefined],
    ['nothing but closing tags', filled('</'), undefined],
    ['entities', filled('&amp;', '<title>', '</title>'), '&'.repeat(299)],
    ['entities without end', filled('&#', '<meta property=og:title content="', '">'), undefined],
    ['white space', filled(' \n', '<title>t', 'u</title>'), 't'],
    ['bytes of zero', filled('\0', '<title>', '</title>'), undefined],
    ['a long title', filled('x', '<title>', '</title>'), `${'x'.repeat(299)}…`],
    ['a title that is all marks', filled('\u0301', '<title>a', '</title>'), `a${'\u0301'.repeat(8)}`],
    [
      'one title in a tag of half a megabyte',
      filled('x', '<meta property=og:title content="', '">'),
      undefined,
    ],
  ]
  for (const [why, html, title] of PAGES) {
    it(`is read in linear time: ${why}`, () => {
      card(html)
      const began = performance.now()
      const found = card(html)
      // Quadratic time would be minutes; half a second allows for a busy machine.
      expect(performance.now() - began).to.be.below(500)
      if (title?.startsWith('&')) expect(found?.title).to.match(/^&+…$/)
      else expect(found?.title).to.equal(title)
    })
  }

  it('never throws and never exceeds the bounds', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<title>',
        '</title>',
        '<meta ',
        'property=og:title ',
        'name="description"',
        ' content=',
        '"',
        "'",
        '>',
      ),
      fc.constantFrom(
        '<!--',
        '-->',
        '<script>',
        '</script>',
        '<body',
        '<base href=',
        '<link rel=icon sizes=99x99 href=',
      ),
      fc.constantFrom(
        'property=og:image ',
        'http://',
        '//x/',
        '&#',
        '&amp;',
        '\0',
        'x'.repeat(3_000),
        ' '.repeat(3_000),
      ),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        bounded(pieces.join(''))
      }),
      { numRuns: 1_000 },
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 5_000 }), bytes => bounded(pageText(bytes, undefined))))
  })

  function bounded(html: string) {
    const found = card(html)
    if (!found) return
    expect(found.title.length).to.be.within(1, 300)
    expect(found.description.length).to.be.at.most(1_000)
    expect(found.title + found.description).to.not.match(/[\p{Cc}\p{Bidi_Control}]/u)
    for (const { href, protocol } of found.pictures) {
      expect(href.length).to.be.at.most(2_048)
      expect(protocol).to.match(/^https?:$/)
    }
  }
})
