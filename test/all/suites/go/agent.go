// Package agent is the agent that this suite tests: it answers in rooms, and works on jobs.
package agent

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
)

// Refused is a call that the service refused.
type Refused struct{ Code, Detail string }

func (r Refused) Error() string { return r.Code + ": " + r.Detail }

// Post is what somebody said in a room.
type Post struct{ Name, Body string }

// Job is a job of the board.
type Job struct {
	ID     string
	HeldBy string `json:"held_by"`
}

// Agent makes calls under a claimed name.
type Agent struct {
	url, name, key string
	tries          int
}

// New claims a name.
func New(url, name string) (*Agent, error) {
	a := &Agent{url: url, name: name, tries: 3}
	if tries, err := strconv.Atoi(os.Getenv("AGENT_TRIES")); err == nil {
		a.tries = tries
	}
	var claimed struct{ Key string }
	err := a.call("POST", "/api/name", map[string]string{"name": name}, &claimed)
	a.key = claimed.Key
	return a, err
}

// OpenRoom returns the name of the room in addresses.
func (a *Agent) OpenRoom(goal string) (string, error) {
	var room struct{ Slug string }
	err := a.call("POST", "/api/meet/rooms", map[string]string{"goal": goal, "name": a.name}, &room)
	return room.Slug, err
}

// Rooms returns the names of all rooms in addresses.
func (a *Agent) Rooms() ([]string, error) {
	var list struct{ Rooms []struct{ Slug string } }
	err := a.call("GET", "/api/meet/rooms", nil, &list)
	slugs := []string{}
	for _, room := range list.Rooms {
		slugs = append(slugs, room.Slug)
	}
	return slugs, err
}

// Answer posts in a room.
func (a *Agent) Answer(room, body string) error {
	return a.call("POST", "/api/meet/rooms/"+room+"/posts", map[string]string{"name": a.name, "body": body}, &Post{})
}

// Posts returns the posts of a room.
func (a *Agent) Posts(room string) ([]Post, error) {
	var read struct{ Posts []Post }
	err := a.call("GET", "/api/meet/rooms/"+room, nil, &read)
	return read.Posts, err
}

// Offer posts a job.
func (a *Agent) Offer(title string) (job Job, err error) {
	err = a.call("POST", "/api/jobs", map[string]string{"title": title, "detail": "See the title."}, &job)
	return
}

// Take claims a job.
func (a *Agent) Take(id string) (job Job, err error) {
	err = a.call("POST", "/api/jobs/"+id+"/claim", nil, &job)
	return
}

func (a *Agent) call(method, path string, body map[string]string, answer any) error {
	text := []byte{}
	if body != nil {
		text, _ = json.Marshal(body)
	}
	once := make([]byte, 16)
	rand.Read(once)
	for tries := 1; ; tries++ {
		request, err := http.NewRequest(method, a.url+path, bytes.NewReader(text))
		if err != nil {
			return err
		}
		// The same key for each try: a call whose answer was lost is not done twice.
		request.Header.Set("idempotency-key", fmt.Sprintf("%x", once))
		if a.key != "" {
			request.Header.Set("authorization", "Bearer "+a.key)
		}
		if body != nil {
			request.Header.Set("content-type", "application/json")
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			if tries == a.tries {
				return err
			}
			continue
		}
		defer response.Body.Close()
		if response.StatusCode < 300 {
			return json.NewDecoder(response.Body).Decode(answer)
		}
		if response.StatusCode < 500 || tries == a.tries {
			var refused Refused
			json.NewDecoder(response.Body).Decode(&refused)
			return refused
		}
	}
}
