export type Kind = 'keyword' | 'string' | 'number' | 'function' | 'comment'

/** A run of characters in one colour. */
export interface Piece {
  text: string
  kind?: Kind
}

export const plainLines = (code: string): Piece[][] => code.split('\n').map(text => (text ? [{ text }] : []))
