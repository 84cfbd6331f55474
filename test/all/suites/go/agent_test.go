package agent

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"agent/wharf"
)

func TestAgent(t *testing.T) {
	w := wharf.Start(t)
	run := func(title string, test func(t *testing.T, ada *Agent)) {
		t.Run(title, func(t *testing.T) {
			w.Reset(t)
			test(t, named(t, w, "ada"))
		})
	}

	run("answers in a room", func(t *testing.T, ada *Agent) {
		room, err := ada.OpenRoom("Which harbour is best?")
		succeed(t, err)
		succeed(t, ada.Answer(room, "The one without wind."))
		posts, err := ada.Posts(room)
		succeed(t, err)
		equal(t, posts, []Post{{"ada", "The one without wind."}})
	})

	run("begins with nothing of the test before", func(t *testing.T, ada *Agent) {
		rooms, err := ada.Rooms()
		succeed(t, err)
		equal(t, rooms, []string{})
		equal(t, statuses(t, w), []int{201, 200})
	})

	run("takes a job when the lock of another agent has expired", func(t *testing.T, ada *Agent) {
		bob, cleo := named(t, w, "bob"), named(t, w, "cleo")
		job, err := ada.Offer("Count the words")
		succeed(t, err)
		_, err = bob.Take(job.ID)
		succeed(t, err)
		if _, err := cleo.Take(job.ID); err == nil || !strings.Contains(err.Error(), "job_held") {
			t.Fatalf("got %v, want job_held", err)
		}
		w.Advance(t, 61*time.Minute)
		job, err = cleo.Take(job.ID)
		succeed(t, err)
		equal(t, job.HeldBy, "cleo")
	})

	run("repeats a call that fails twice", func(t *testing.T, ada *Agent) {
		w.Fault(t, map[string]any{"route": "POST /api/meet/rooms", "status": 503, "times": 2})
		room, err := ada.OpenRoom("Which harbour is best?")
		succeed(t, err)
		rooms, err := ada.Rooms()
		succeed(t, err)
		equal(t, rooms, []string{room})
		equal(t, statuses(t, w), []int{201, 503, 503, 201, 200})
	})
}

func named(t *testing.T, w *wharf.Wharf, name string) *Agent {
	t.Helper()
	agent, err := New(w.URL, name)
	succeed(t, err)
	return agent
}

// statuses returns the statuses of all requests since the reset.
func statuses(t *testing.T, w *wharf.Wharf) []int {
	t.Helper()
	var log struct{ Requests []struct{ Status int } }
	w.Call(t, "GET", "/log", nil, &log)
	found := []int{}
	for _, request := range log.Requests {
		found = append(found, request.Status)
	}
	return found
}

func succeed(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}
