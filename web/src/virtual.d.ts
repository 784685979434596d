/** Built from a data package by vite.config.ts. */
declare module 'virtual:emoji-table' {
  const table: string
  export default table
}
