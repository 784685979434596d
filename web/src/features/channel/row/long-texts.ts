/** Lines of a folded text. MessageBody.css folds texts of more than 25. */
const FOLDED_LINES = 20
const MOST_LINES = 25
/** Letters of a line on the narrowest phone. */
const NARROW = 32

/** False if a text cannot have more than 25 lines at any width: it is not measured. */
export const mayBeLong = (text: string) => text.length / NARROW + text.split('\n').length > MOST_LINES

/** Lines that a text of this many shows at first. */
export const linesShown = (lines: number) => (lines > MOST_LINES ? FOLDED_LINES : lines)
