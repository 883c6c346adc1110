import { type Airtable, startAirtable } from './airtable.ts'
import { type App, startApp } from './app.ts'

export type AppWithAirtable = App & { airtable: Airtable }

/** The built application, whose orders are in an Airtable that a test can change and take away. */
export async function startAppWithAirtable(): Promise<AppWithAirtable> {
  const airtable = await startAirtable()
  try {
    const app = await startApp(airtable.env)
    return {
      ...app,
      airtable,
      async dispose() {
        await app.dispose()
        await airtable.dispose()
      },
    }
  } catch (error) {
    await airtable.dispose()
    throw error
  }
}
