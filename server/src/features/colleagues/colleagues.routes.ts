import {
  changeColleague,
  inviteColleague,
  inviteColleagueAgain,
  listColleagues,
  removeColleague,
} from '@bancone/contract/colleagues'
import type { Serve } from '../../http/serve.ts'
import type { ColleaguesService } from './colleagues.service.ts'

export function colleagueRoutes(serve: Serve, colleagues: ColleaguesService) {
  serve(listColleagues, async (_input, session) => ({
    colleagues: await colleagues.list(session),
  }))

  serve(inviteColleague, ({ body }, session, call) => colleagues.invite(session, body, call))

  serve(changeColleague, ({ params, body }, session, call) =>
    colleagues.change(session, params.colleagueId, body, call),
  )

  serve(inviteColleagueAgain, ({ params }, session, call) =>
    colleagues.inviteAgain(session, params.colleagueId, call),
  )

  serve(removeColleague, async ({ params }, session, call) => {
    await colleagues.remove(session, params.colleagueId, call)
    return {}
  })
}
