import {
  type AirtableCheck,
  changePharmacy,
  checkAirtable,
  createPharmacy,
  getAdminPharmacy,
  listAdminPharmacies,
  removePharmacy,
  switchPharmacy,
} from '@bancone/contract/admin-pharmacies'
import { paths } from '@bancone/contract/pages'
import type { Http } from '../../http/app-module.ts'
import { createAudit } from '../../platform/audit.ts'
import type { AuthService } from '../../platform/auth/auth.service.ts'
import { callerFrom } from '../../platform/auth/auth-protocol.ts'
import type { Context } from '../../platform/context.ts'
import type { Tasks } from '../../platform/jobs.ts'
import type { SourceInspector } from '../../ports/order-source.ts'
import { createAdminPharmacies } from './admin-pharmacies.service.ts'
import { createAdminPharmaciesStore } from './admin-pharmacies.store.ts'
import { endPlans } from './plan-deviations.store.ts'

export const PLAN_EXPIRY_TASK = 'pharmacies.plan-expiry'

type Dependencies = Context & {
  auth: Pick<AuthService, 'users' | 'invitedUsers' | 'reauthentication' | 'settings'>
  /** Null: no token is configured. */
  source: SourceInspector | null
  /** Starts what brings a pharmacy's orders back from the database to Airtable, and switches it in the end. */
  returnToAirtable(pharmacyId: string, userId: string): Promise<unknown>
  /** Moves a pharmacy's orders from Airtable into the database, by the rules of the migration. */
  leaveAirtable(pharmacyId: string, userId: string): Promise<unknown>
}

const notConfigured: AirtableCheck = {
  base: null,
  table: null,
  missingColumns: [],
  problem: 'not_configured',
}

export function wireAdminPharmacies(dependencies: Dependencies) {
  const { db, auth, source, log } = dependencies
  const store = createAdminPharmaciesStore(db, createAudit(db))
  const pharmacies = createAdminPharmacies({
    ...dependencies,
    store,
    invitationPage: new URL(`${paths.resetPassword}?type=invite`, auth.settings.publicUrl),
  })
  return {
    /** What an import of many pharmacies uses. */
    imported: {
      present: () => store.list('present'),
      matching: store.matching,
      invite: pharmacies.invite,
      update: pharmacies.update,
    },
    routes({ serve }: Http) {
      serve(listAdminPharmacies, async ({ query }) => ({
        pharmacies: await store.list(query.state),
      }))

      serve(getAdminPharmacy, async ({ params }) => ({
        pharmacy: await store.find(params.pharmacyId),
      }))

      serve(createPharmacy, async ({ body }, session, call) => ({
        pharmacy: await pharmacies.create(session, body, callerFrom(call)),
      }))

      serve(changePharmacy, async ({ params, body }, session, call) => ({
        pharmacy: await pharmacies.change(session, params.pharmacyId, body, callerFrom(call)),
      }))

      serve(switchPharmacy, async ({ params, body }, session) => ({
        pharmacy: await pharmacies.switch(session, params.pharmacyId, body),
      }))

      serve(removePharmacy, async ({ query }, { userId }) => ({
        pharmacy: await store.remove(query.pharmacyId, userId),
      }))

      serve(checkAirtable, async ({ body }, _session, { signal }) => {
        const location = { baseId: body.airtable_base_id, tableId: body.airtable_table_id }
        return source ? source.inspect(location, signal) : notConfigured
      })
    },
    tasks: {
      [PLAN_EXPIRY_TASK]: {
        lane: 'maintenance',
        async run() {
          const ended = await endPlans(db)
          if (ended > 0)
            log.info({ pharmacies: ended }, 'the features of ended plans were switched off')
        },
      },
    } satisfies Tasks,
  }
}
