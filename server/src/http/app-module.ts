import type { FastifyInstance } from 'fastify'
import type { Tasks } from '../platform/jobs.ts'
import type { DatabaseTimes } from '../platform/telemetry/database-readings.ts'
import type { Serve, ServeFile, ServeList } from './serve.ts'
import type { ServeCachedJson } from './serve-cached-json.ts'
import type { ServeUpload } from './serve-upload.ts'

/** How a module registers its routes: endpoints of the contract with a `serve`, others with Fastify. */
export type Http = {
  app: FastifyInstance
  serve: Serve
  serveCachedJson: ServeCachedJson
  serveList: ServeList
  serveFile: ServeFile
  serveUpload: ServeUpload
}

/** A part of the application, for example a feature: what it adds to the server, and its background work. */
export type AppModule = {
  /** Registers the routes. A returned promise is awaited. */
  routes?(http: Http): unknown
  /** The jobs it runs; their names are unique in the application. */
  tasks?: Tasks
  /** What waits besides jobs, for the metrics; their names are unique in the application. */
  backlogs?: DatabaseTimes
  /** When something was done last that has to be done again and again, for the metrics; their names are unique, too. */
  lastSuccess?: DatabaseTimes
  /** Starts the work that no request and no job starts. */
  start?(): void
  /** Modules are closed in the reverse order of the list in `wiring.ts`: what others use stands first. */
  close?(): void | Promise<void>
}

/** @throws Error if two modules have a task of the same name */
export function tasksOf(modules: readonly AppModule[]): Tasks {
  const all = modules.flatMap(({ tasks = {} }) => Object.entries(tasks))
  const tasks = Object.fromEntries(all)
  if (Object.keys(tasks).length < all.length) throw new Error('two tasks have the same name')
  return tasks
}

/** Closes all modules in reverse order. @throws AggregateError if some could not be closed; the others are */
export async function closeModules(modules: readonly AppModule[]): Promise<void> {
  const errors: unknown[] = []
  for (const module of modules.toReversed()) {
    try {
      await module.close?.()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'modules could not be closed')
}
