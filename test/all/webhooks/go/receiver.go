// A receiver with the official library for Go. ../../../support/library_receivers.ts says what it does.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

var state struct {
	Secrets []string `json:"secrets"`
	Failing bool     `json:"failing"`
}

func isVerified(secret string, body []byte, headers http.Header) bool {
	webhook, err := standardwebhooks.NewWebhook(secret)
	return err == nil && webhook.Verify(body, headers) == nil
}

func answerTo(request *http.Request, body []byte) (int, map[string]any) {
	if request.Method == http.MethodPut {
		if err := json.Unmarshal(body, &state); err != nil {
			panic(err)
		}
		return 200, map[string]any{}
	}
	verified := []bool{}
	for _, secret := range state.Secrets {
		verified = append(verified, isVerified(secret, body, request.Header))
	}
	headers := map[string]string{}
	for name, values := range request.Header {
		headers[strings.ToLower(name)] = values[0]
	}
	line, _ := json.Marshal(map[string]any{"headers": headers, "body": string(body), "verified": verified})
	fmt.Println(string(line))
	if len(verified) > 0 && !slices.Contains(verified, true) {
		return 401, map[string]any{}
	}
	if state.Failing {
		return 503, map[string]any{}
	}
	var call struct {
		Challenge any `json:"challenge"`
	}
	_ = json.Unmarshal(body, &call)
	return 200, map[string]any{"challenge": call.Challenge}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	_ = http.Serve(listener, http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		status, content := answerTo(request, body)
		answer.Header().Set("content-type", "application/json")
		answer.WriteHeader(status)
		_ = json.NewEncoder(answer).Encode(content)
	}))
}
