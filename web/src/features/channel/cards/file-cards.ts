/** Entry of the chunk with the cards of files that are no pictures. */
import '../../../i18n/files-strings.ts'

export { FileCard } from './FileCard.tsx'
