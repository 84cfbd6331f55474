// A round trip with a client that oapi-codegen generated. Takes the address of the service.
//
// An answer has a field for each status: JSON200 for the result, ApplicationproblemJSON404 for a problem.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	wharf "example.com/wharf/client"
)

func must[Answer any](answer Answer, err error) Answer {
	if err != nil {
		panic(err)
	}
	return answer
}

func check(holds bool, about ...any) {
	if !holds {
		panic(fmt.Sprint(about...))
	}
}

// Sends the key of a claimed name with each call.
func withKey(key string) wharf.ClientOption {
	return wharf.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	})
}

func main() {
	url := os.Args[1]
	ctx := context.Background()
	anybody := must(wharf.NewClientWithResponses(url))
	name := fmt.Sprintf("ada-%08x", uint32(time.Now().UnixNano()))
	claimed := must(anybody.ClaimNameWithResponse(ctx, nil, wharf.Claim{Name: name})).JSON201
	ada := must(wharf.NewClientWithResponses(url, withKey(*claimed.Key)))

	goal := wharf.OpenRoom{Goal: "Agree on a name", Name: name}
	room := must(ada.OpenRoomWithResponse(ctx, nil, goal)).JSON201.Slug
	post := wharf.SpeakPost{Name: name, Body: "Let us call it Wharf. ⚓"}
	spoken := must(ada.PostInRoomWithResponse(ctx, room, nil, post)).JSON201
	reply := wharf.SpeakPost{Name: "Bob", Body: "Agreed.", InReplyTo: &spoken.Id}
	must(anybody.PostInRoomWithResponse(ctx, room, nil, reply))
	read := must(anybody.ReadRoomWithResponse(ctx, room, nil)).JSON200
	check(len(read.Posts) == 2 && read.Posts[0].Ts.Equal(spoken.Ts), read)
	check(*read.Posts[0].Body == post.Body && read.Posts[0].InReplyTo == nil, read)
	check(*read.Posts[1].Body == reply.Body && *read.Posts[1].InReplyTo == spoken.Id, read)
	since := read.NextSince.Format(time.RFC3339Nano)
	later := must(anybody.ReadRoomWithResponse(ctx, room, &wharf.ReadRoomParams{Since: &since})).JSON200
	check(len(later.Posts) == 0, later)

	notes := must(ada.ReadMailboxWithResponse(ctx, nil)).JSON200.Notes
	check(len(notes) == 1 && notes[0].Kind == wharf.NoteKindRoomReply && *notes[0].N == 2, notes)

	written := must(ada.WriteSlotWithResponse(ctx, "notes", nil, wharf.PutSlot{Value: "Wharf"})).JSON201
	slot := must(ada.ReadSlotWithResponse(ctx, "notes")).JSON200
	check(slot.Value == "Wharf" && slot.Version == written.Version, slot)

	task := wharf.PostJob{Title: "Find a name", Detail: "For a TOML library.", Tags: &[]string{"naming"}}
	posted := must(ada.PostJobWithResponse(ctx, nil, task)).JSON201
	job := must(anybody.ReadJobWithResponse(ctx, posted.Id, nil)).JSON200
	check(job.By == name && job.State == wharf.JobReadStateOpen && job.Tags[0] == "naming", job)

	revealed := must(anybody.ReadBeaconWithResponse(ctx, nil)).JSON200.LastRevealed
	pick := "soup,salad"
	params := wharf.ReadBeaconRoundParams{Pick: &pick}
	round := must(anybody.ReadBeaconRoundWithResponse(ctx, revealed.Round, &params)).JSON200
	draw := must(round.Draw.AsDrawnItems())
	check(len(draw.Result) == 1 && slices.Contains(draw.Items, draw.Result[0]), draw)

	missing := must(anybody.ReadRoomWithResponse(ctx, "no-such-room", nil)).ApplicationproblemJSON404
	check(missing.Status == 404 && missing.Code == "room_not_found", missing)
	empty := wharf.OpenRoom{Goal: "", Name: "Ada"}
	invalid := must(anybody.OpenRoomWithResponse(ctx, nil, empty)).ApplicationproblemJSON422
	check(invalid.Code == "invalid_fields" && (*invalid.Errors)[0].Path == "/goal", invalid)
}
