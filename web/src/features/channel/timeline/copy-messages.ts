/** Copies a selection that spans messages as names, times and texts; within one text the browser copies. */
import { strings } from '../../../i18n/i18n.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { displayed } from '../../../store/people/people.ts'

export function copyMessages(event: ClipboardEvent, channel: Channel) {
  const selection = getSelection()
  const target = event.target as Element
  if (!selection || selection.rangeCount === 0 || target.closest('input, textarea')) return
  const range = selection.getRangeAt(0)
  const common = range.commonAncestorContainer
  const inside = common instanceof Element ? common : common.parentElement
  if (range.collapsed || inside?.closest('.message-text')) return
  const lines = linesIn(range, event.currentTarget as Element, channel)
  if (lines.length === 0) return
  event.preventDefault()
  event.clipboardData?.setData('text/plain', lines.join('\n'))
}

function linesIn(range: Range, list: Element, channel: Channel): string[] {
  const lines: string[] = []
  for (const article of list.querySelectorAll<HTMLElement>('article')) {
    const text = range.intersectsNode(article) ? selectedText(range, article) : ''
    if (text === '') continue
    const row = channel.findRow(Number(article.dataset['messageId']))
    const hasHead = article.matches('.is-first') || lines.length === 0
    if (hasHead && lines.length > 0) lines.push('')
    if (hasHead && row && !article.matches('.is-system'))
      lines.push(`${displayed(row.sender)}, ${strings.time(row.ts)}`)
    lines.push(text)
  }
  return lines
}

/** The selected part of the text of a message. */
function selectedText(range: Range, article: HTMLElement): string {
  const text = article.querySelector('.message-text')
  if (!text || !range.intersectsNode(text)) return ''
  const part = document.createRange()
  part.selectNodeContents(text)
  if (part.compareBoundaryPoints(Range.START_TO_START, range) < 0)
    part.setStart(range.startContainer, range.startOffset)
  if (part.compareBoundaryPoints(Range.END_TO_END, range) > 0)
    part.setEnd(range.endContainer, range.endOffset)
  return plainText(part.cloneContents())
}

function plainText(fragment: DocumentFragment): string {
  for (const one of fragment.querySelectorAll('.code-block-head, .message-row-edited, time, button'))
    one.remove()
  for (const one of fragment.querySelectorAll('br')) one.replaceWith('\n')
  for (const one of fragment.querySelectorAll('li')) {
    const depth = one.parentElement?.closest('li') ? '  ' : ''
    one.prepend(`${depth}${one.parentElement instanceof HTMLOListElement ? `${one.value}.` : '-'} `)
  }
  for (const one of fragment.querySelectorAll('td, th')) if (one.nextElementSibling) one.after(' | ')
  for (const one of fragment.querySelectorAll('p, li, pre, tr')) if (!isLastInItem(one)) one.after('\n')
  return fragment.textContent.trim()
}

/** The item itself ends the line. */
const isLastInItem = (one: Element) => one.parentElement?.matches('li') && !one.nextElementSibling
