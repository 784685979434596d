import { load } from 'cheerio/slim'
import { oneLine } from '#shared/domain/one-line.ts'
import { headTags } from './head-tags.ts'

const LONGEST_TITLE = 300
const LONGEST_DESCRIPTION = 1_000
const LONGEST_URL = 2_048
/** Values are cut to this length before any other work. */
const LONGEST_VALUE = 8_192
/** Smaller icons are made for browser tabs. */
const SMALLEST_ICON = 64

export interface PageCard {
  title: string
  description: string
  /** Picture candidates, best first; only their form is checked. */
  pictures: URL[]
}

/** Reads a page's card (interface 4.4): og:*, then twitter:*, then description and title; undefined without title. */
export function openGraph(html: string, found: URL): PageCard | undefined {
  const page = readHead(html)
  const title = firstText([page.meta('og:title'), page.meta('twitter:title'), page.title], LONGEST_TITLE)
  if (title === '') return undefined

  const descriptions = ['og:description', 'twitter:description', 'description'].map(page.meta)
  const base = webAddress(page.base, found) ?? found
  return {
    title,
    description: firstText(descriptions, LONGEST_DESCRIPTION),
    pictures: picturesOf(page, base),
  }
}

interface Head {
  title: string | undefined
  base: string | undefined
  /** The first value that is not blank. */
  meta(name: string): string | undefined
  links: { rel: string; href: string; sizes: string; type: string }[]
}

function readHead(html: string): Head {
  const $ = load(headTags(html))
  const metas = new Map<string, string>()
  for (const { attribs } of $('meta')) {
    const name = (attribs['property'] ?? attribs['name'] ?? '').trim().toLowerCase()
    const value = attribs['content']?.slice(0, LONGEST_VALUE) ?? ''
    if (name !== '' && value.trim() !== '' && !metas.has(name)) metas.set(name, value)
  }
  return {
    title: $('title').last().text(),
    base: $('base[href]').attr('href'),
    meta: name => metas.get(name),
    links: $('link')
      .toArray()
      .map(({ attribs: { rel = '', href = '', sizes = '', type = '' } }) => ({
        rel: rel.toLowerCase(),
        href,
        sizes: sizes.toLowerCase(),
        type: type.toLowerCase(),
      })),
  }
}

/** The first text that is not empty after invisible characters are removed. */
function firstText(texts: (string | undefined)[], most: number) {
  for (const text of texts) {
    const line = oneLine(text?.slice(0, LONGEST_VALUE) ?? '', most)
    if (line !== '') return line
  }
  return ''
}

function picturesOf({ meta, links }: Head, base: URL): URL[] {
  const named = ['og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image', 'twitter:image:src'].map(
    meta,
  )
  const linked = links.filter(({ rel }) => rel === 'image_src')
  const addresses = [...named, ...[...linked, ...iconsOf(links)].map(({ href }) => href)]
    .map(address => webAddress(address, base))
    .filter(url => url !== undefined)
  return [...new Map(addresses.map(url => [url.href, url])).values()]
}

/** Icons in picture formats, largest first. Touch icons need no `sizes`: their usual size is large enough. */
function iconsOf(links: Head['links']) {
  return links
    .filter(
      ({ rel, type }) =>
        /(?:^|\s)(?:apple-touch-icon(?:-precomposed)?|icon)(?:\s|$)/.test(rel) && !isDrawing(type),
    )
    .map(link => ({ link, size: sizeOf(link) }))
    .filter(({ size }) => size >= SMALLEST_ICON)
    .sort((one, other) => other.size - one.size)
    .map(({ link }) => link)
}

/** SVG and ICO are formats that cards do not open. */
const isDrawing = (type: string) => /svg|x-icon|microsoft/.test(type)

function sizeOf({ rel, sizes }: Head['links'][number]) {
  const widths = [...sizes.slice(0, 100).matchAll(/(\d{1,4})x\d{1,4}/g)].map(([, width]) => Number(width))
  return Math.max(rel.includes('apple-touch') ? 180 : 0, ...widths)
}

/** Resolves an address in a page; undefined unless it is http or https. */
function webAddress(address: string | undefined, base: URL): URL | undefined {
  const text = address?.trim() ?? ''
  if (text === '' || text.length > LONGEST_URL || !URL.canParse(text, base.href)) return undefined
  const url = new URL(text, base.href)
  const isOfTheWeb = url.protocol === 'http:' || url.protocol === 'https:'
  return isOfTheWeb && url.username === '' && url.password === '' && url.href.length <= LONGEST_URL
    ? url
    : undefined
}
