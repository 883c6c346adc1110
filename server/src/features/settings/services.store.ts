import { type ServiceId, ServiceProblem, type ServiceState } from '@bancone/contract/services'
import type { Database } from '../../database/database.ts'

type Checked = Pick<ServiceState, 'lastSuccess' | 'milliseconds' | 'lastFailure'>

type Outcome =
  | { succeeded_at: string; milliseconds: number }
  | { failed_at: string; problem: ServiceProblem }

export type ServicesStore = ReturnType<typeof createServicesStore>

/** The only writer of `service_checks`. */
export function createServicesStore(db: Database) {
  return {
    async find(service: ServiceId): Promise<Checked> {
      const row = await db
        .selectFrom('service_checks')
        .select(['succeeded_at', 'milliseconds', 'failed_at', 'problem'])
        .where('service', '=', service)
        .executeTakeFirst()
      const problem = ServiceProblem.safeParse(row?.problem)
      return {
        lastSuccess: row?.succeeded_at ?? null,
        milliseconds: row?.milliseconds ?? null,
        lastFailure:
          row?.failed_at && problem.success ? { at: row.failed_at, problem: problem.data } : null,
      }
    },

    async record(service: ServiceId, outcome: Outcome): Promise<void> {
      await db
        .insertInto('service_checks')
        .values({ service, ...outcome })
        .onConflict((conflict) => conflict.column('service').doUpdateSet(outcome))
        .execute()
    },
  }
}
