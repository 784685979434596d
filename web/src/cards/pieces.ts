export type Kind = 'kw' | 'str' | 'num' | 'fn' | 'com'

/** Of a line of code, in one colour. */
export interface Piece {
  text: string
  kind?: Kind
}

export const plainLines = (code: string): Piece[][] => code.split('\n').map(text => (text ? [{ text }] : []))
