import pg from 'pg'

/** The texts among `texts` that the database at `url` has as messages, sorted; one that is stored twice comes twice. */
export async function storedTexts(url: string, texts: string[]): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ content: string }>(
      'select content from messages where content = any($1)',
      [texts],
    )
    return rows.map(row => row.content).sort()
  } finally {
    await client.end()
  }
}
