import { visibleText } from '#shared/domain/one-line.ts'
import { blocksOf } from '#shared/domain/text-blocks.ts'

/** False for a text that shows nothing and for code fences without code. */
export function hasContent(text: string): boolean {
  if (visibleText(text) === '') return false
  if (!text.includes('```') && !text.includes('~~~')) return true
  return blocksOf(text).some(block => block.kind !== 'code' || block.text.trim() !== '')
}
