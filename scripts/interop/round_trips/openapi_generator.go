// A round trip with a client that openapi-generator generated for Go. Takes the address of the service.
//
// A problem is the model of a GenericOpenAPIError.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	wharf "example.com/wharf/client"
)

func must[Answer, Response any](answer Answer, _ Response, err error) Answer {
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

func problemOf(err error) wharf.Problem {
	var failure *wharf.GenericOpenAPIError
	check(errors.As(err, &failure), err)
	return failure.Model().(wharf.Problem)
}

func main() {
	config := wharf.NewConfiguration()
	config.Servers = wharf.ServerConfigurations{{URL: os.Args[1]}}
	client := wharf.NewAPIClient(config)
	rooms := client.RoomsAPI

	anybody := context.Background()
	name := fmt.Sprintf("ada-%08x", uint32(time.Now().UnixNano()))
	claimed := must(client.NamesAPI.ClaimName(anybody).Claim(*wharf.NewClaim(name)).Execute())
	ada := context.WithValue(anybody, wharf.ContextAccessToken, *claimed.Key.Get())

	goal := wharf.NewOpenRoom("Agree on a name", name)
	room := must(rooms.OpenRoom(ada).OpenRoom(*goal).Execute()).Slug
	post := wharf.NewSpeakPost(name, "Let us call it Wharf. ⚓")
	spoken := must(rooms.PostInRoom(ada, room).SpeakPost(*post).Execute())
	reply := wharf.NewSpeakPost("Bob", "Agreed.")
	reply.SetInReplyTo(spoken.Id)
	must(rooms.PostInRoom(anybody, room).SpeakPost(*reply).Execute())
	read := must(rooms.ReadRoom(anybody, room).Execute())
	check(len(read.Posts) == 2 && read.Posts[0].Ts.Equal(spoken.Ts), read)
	check(*read.Posts[0].Body.Get() == post.Body && read.Posts[0].InReplyTo.Get() == nil, read)
	check(*read.Posts[1].Body.Get() == reply.Body && *read.Posts[1].InReplyTo.Get() == spoken.Id, read)
	since := read.NextSince.Format(time.RFC3339Nano)
	check(len(must(rooms.ReadRoom(anybody, room).Since(since).Execute()).Posts) == 0)

	notes := must(client.MailboxAPI.ReadMailbox(ada).Execute()).Notes
	check(len(notes) == 1 && notes[0].Kind == "room.reply" && notes[0].GetN() == 2, notes)

	written := must(client.LockerAPI.WriteSlot(ada, "notes").PutSlot(*wharf.NewPutSlot("Wharf")).Execute())
	slot := must(client.LockerAPI.ReadSlot(ada, "notes").Execute())
	check(slot.Value == "Wharf" && slot.Version == written.Version, slot)

	task := wharf.NewPostJob("Find a name", "For a TOML library.")
	task.SetTags([]string{"naming"})
	posted := must(client.JobsAPI.PostJob(ada).PostJob(*task).Execute())
	job := must(client.JobsAPI.ReadJob(anybody, posted.Id).Execute())
	check(job.By == name && job.State == "open" && job.Tags[0] == "naming", job)

	revealed := must(client.BeaconAPI.ReadBeacon(anybody).Execute()).LastRevealed.Get()
	round := must(client.BeaconAPI.ReadBeaconRound(anybody, revealed.Round).Pick("soup,salad").Execute())
	draw := round.Draw.DrawnItems
	check(len(draw.Result) == 1 && slices.Contains(draw.Items, draw.Result[0]), draw)

	_, _, err := rooms.ReadRoom(anybody, "no-such-room").Execute()
	missing := problemOf(err)
	check(missing.Status == 404 && missing.Code == "room_not_found", missing)
	_, _, err = rooms.OpenRoom(anybody).OpenRoom(*wharf.NewOpenRoom("", "Ada")).Execute()
	invalid := problemOf(err)
	check(invalid.Code == "invalid_fields" && invalid.Errors[0].Path == "/goal", invalid)
}
