import { listPharmacyOverview } from '@bancone/contract/pharmacy-overview'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import type { Clock } from '../../ports/clock.ts'
import { overviewOf } from './pharmacy-overview.rules.ts'
import { createPharmacyOverviewStore } from './pharmacy-overview.store.ts'

export function wirePharmacyOverview({ db, clock }: { db: Database; clock: Clock }): AppModule {
  const store = createPharmacyOverviewStore(db)
  return {
    routes({ serve }) {
      serve(listPharmacyOverview, async () => {
        const now = clock.now()
        return { pharmacies: overviewOf(await store.list(now), now) }
      })
    },
  }
}
