import { changeOwnProfile, getOwnProfile } from '@bancone/contract/pharmacy-profile'
import { useQueryClient } from '@tanstack/react-query'
import { Palette } from 'lucide-react'
import { ProfileForm } from '../../../features/pharmacy-profile/profile-form.tsx'
import { ProfileSkeleton } from '../../../features/pharmacy-profile/profile-skeleton.tsx'
import { updateCached, useEndpoint, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { invalidateOwnPharmacy } from '../../../lib/own-pharmacy.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { RequireFeature, Unavailable } from '../access.tsx'
import { LogoField } from './logo-field.tsx'

/** What the own pharmacy shows of itself. */
export function OwnProfile() {
  return (
    <RequireFeature
      feature="custom_branding"
      renderRefusal={() => (
        <Unavailable
          icon={<Palette />}
          title="Branding non disponibile"
          text="La funzionalità Branding Personalizzato non è abilitata per la tua farmacia."
        />
      )}
    >
      {() => <Profile />}
    </RequireFeature>
  )
}

function Profile() {
  const client = useQueryClient()
  const query = useEndpoint(getOwnProfile, {}, { refetchOnWindowFocus: false })
  const { mutateAsync } = useEndpointMutation(changeOwnProfile)
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Farmacia</PageTitle>
      <QueryStates query={query} skeleton={<ProfileSkeleton />}>
        {(profile) => (
          <ProfileForm
            profile={profile}
            renderLogo={(props) => <LogoField {...props} />}
            onSave={async (body) => {
              const saved = await mutateAsync({ body })
              await updateCached(client, getOwnProfile, () => saved)
              // The logo and the colour are on other pages, too.
              void invalidateOwnPharmacy(client)
              return saved
            }}
          />
        )}
      </QueryStates>
    </div>
  )
}
